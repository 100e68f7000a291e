//# title = "no function that can be reached from the globals is eval"
//# tools = "demo"
//# [expect]
//# result = '[[],true]'
//# logs = [["log", "6 * 7"], ["warn", "6 * 76 * 7"]]
// Every function that is reachable from the global object, called with a text that would be code.
const seen = new Set<unknown>();
const made: string[] = [];
const visit = (value: any, path: string) => {
  if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value)) return;
  seen.add(value);
  for (const key of Reflect.ownKeys(value)) {
    const descriptor = Object.getOwnPropertyDescriptor(value, key)!;
    for (const part of [descriptor.value, descriptor.get, descriptor.set]) visit(part, `${path}.${String(key)}`);
  }
  visit(Object.getPrototypeOf(value), `${path}.[proto]`);
};
const own = (globalThis as any).console;
delete (globalThis as any).console;
for (const value of [globalThis, async () => {}, function* () {}, async function* () {}, [][Symbol.iterator](), new Map().entries()]) visit(value, "");
const { setTimeout, tools, codemode, queueMicrotask } = globalThis as any;
for (const value of seen) {
  if (typeof value !== "function" || value === setTimeout || value === tools || value === codemode || value === queueMicrotask) continue;
  try {
    const result = (value as any)("6 * 7");
    if (result === 42) made.push(value.name);
    if (result instanceof Promise) result.catch(() => {});
  } catch {}
}
return [made, seen.size > 500 && typeof own === "object"];
