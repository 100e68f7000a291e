// A tiny schema validator, like zod
type Check<T> = (value: unknown, path: string) => T;
class ValidationError extends Error {
  constructor(public readonly path: string, expected: string, actual: unknown) {
    super(`${path}: expected ${expected}, got ${actual === null ? "null" : typeof actual}`);
    this.name = "ValidationError";
  }
}
const string: Check<string> = (v, p) => { if (typeof v !== "string") throw new ValidationError(p, "string", v); return v; };
const number: Check<number> = (v, p) => { if (typeof v !== "number" || Number.isNaN(v)) throw new ValidationError(p, "number", v); return v; };
const optional = <T>(inner: Check<T>): Check<T | undefined> => (v, p) => (v === undefined ? undefined : inner(v, p));
const array = <T>(inner: Check<T>): Check<T[]> => (v, p) => {
  if (!Array.isArray(v)) throw new ValidationError(p, "array", v);
  return v.map((item, i) => inner(item, `${p}[${i}]`));
};
const object = <S extends Record<string, Check<any>>>(shape: S): Check<{ [K in keyof S]: ReturnType<S[K]> }> => (v, p) => {
  if (typeof v !== "object" || v === null) throw new ValidationError(p, "object", v);
  return Object.fromEntries(Object.entries(shape).map(([k, c]) => [k, c((v as any)[k], `${p}.${k}`)])) as any;
};

const Customer = object({ id: string, mrr: number, tags: optional(array(string)), ownerId: string });
const { items } = await tools.crm.customers.list({ limit: 4 });
const problems: string[] = [];
for (const [i, item] of items.entries()) {
  try {
    Customer(item, `items[${i}]`);
  } catch (e) {
    if (!(e instanceof ValidationError)) throw e;
    problems.push(`${e.name} at ${e.path}: ${e.message}`);
  }
}
return problems;
