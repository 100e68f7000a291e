class Money {
  private constructor(readonly cents: number) {}
  static of(amount: number) { return new Money(Math.round(amount * 100)); }
}
namespace Money {
  export const zero = Money.of(0);
  export function sum(list: Money[]) { return Money.of(list.reduce((s, m) => s + m.cents, 0) / 100); }
}
namespace Counter { export let value = 0; export const next = () => ++value; }
namespace Counter { export function reset() { value = 0; } }
enum Color { Red = "r" }
namespace Color { export const parse = (s: string) => (Object.values(Color) as unknown[]).includes(s); }
Counter.next();
Counter.next();
const before = Counter.value;
Counter.reset();
const { lines } = await tools.billing.invoices.get({ id: "INV-2024-0091" });
return { sum: Money.sum(lines.map((l) => Money.of(l.qty * l.unit))).cents, zero: Money.zero.cents, before, after: Counter.value, red: Color.parse("r"), blue: Color.parse("b") };
