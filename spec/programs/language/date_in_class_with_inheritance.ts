class Timestamp extends Date {
  static override now(): number { return 1738224000000; }
  get quarter(): number { return Math.floor(this.getUTCMonth() / 3) + 1; }
  addDays(n: number): Timestamp { const t = new Timestamp(this); t.setUTCDate(t.getUTCDate() + n); return t; }
}
class Stack<T> extends Array<T> {
  peek(): T | undefined { return this[this.length - 1]; }
  static get [Symbol.species]() { return Array; }
}
class CountingMap<K> extends Map<K, number> {
  increment(key: K, by = 1) { return this.set(key, (this.get(key) ?? 0) + by); }
}
const t = new Timestamp("2025-02-27T00:00:00Z");
const stack = Stack.from([1, 2, 3]) as Stack<number>;
const counts = new CountingMap<string>();
for (const { type } of (await tools.analytics.events.list({ limit: 50 })).items) counts.increment(type);
return { q: t.quarter, next: t.addDays(3), isDate: t instanceof Date, peek: stack.peek(), species: stack.map((x) => x) instanceof Stack, counts, now: Timestamp.now() };
