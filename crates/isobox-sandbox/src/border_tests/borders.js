const STOP = new Error("enough");
const BORDERS = [0, -1, 0x1fffffff, 0x20000000, 0x20000001, 0x3fffffff, 0x7fffffff, 0x80000000, 0xffffffff, 2 ** 53 - 1];
const CONSTRUCTORS = [Array, String, RegExp, ArrayBuffer, DataView, Uint8Array, Int16Array, Float64Array, BigInt64Array, Object, Map, Set,
  Number, BigInt, Symbol, Date, Promise, Proxy, Error, Iterator, WeakMap];
const NAMESPACES = [JSON, Reflect, Math, globalThis];
const LEFT_OUT = new Set(["tools", "codemode", "setTimeout", "setInterval", "setImmediate", "clearTimeout", "console", "require"]);

/** Ends a built-in function that would ask for something for ever. */
const patient = (handler) => {
  let asked = 0;
  return new Proxy(handler.target, new Proxy({}, {
    get: (_, trap) => (...args) => {
      if (++asked > 3000) throw STOP;
      return (handler[trap] ?? Reflect[trap])(...args);
    },
  }));
};

function functions() {
  const found = [];
  const holders = [...NAMESPACES, Object.getPrototypeOf(Array), ...CONSTRUCTORS, ...CONSTRUCTORS.map((one) => one.prototype), Object.getPrototypeOf(Uint8Array),
    Object.getPrototypeOf(Uint8Array.prototype), Object.getPrototypeOf([][Symbol.iterator]()), Object.getPrototypeOf("".matchAll(/a/g))];
  for (const holder of holders) {
    if (!holder) continue;
    for (const key of Reflect.ownKeys(holder)) {
      const { value, get } = Object.getOwnPropertyDescriptor(holder, key);
      if (typeof value === "function" && !LEFT_OUT.has(key)) found.push(value);
      if (get) found.push(get);
    }
  }
  return found;
}

const receivers = (border) => [
  () => ({ length: border, 0: 1, 1: "b" }),
  () => patient({ target: { length: border } }),
  () => patient({ target: [], get: (target, key) => (key === "length" ? border : target[key]) }),
  () => patient({ target: {}, ownKeys: () => patient({ target: { length: border }, get: (_, key) => (key === "length" ? border : key) }) }),
  () => [3, 1, 2],
  () => { const sparse = []; sparse.length = border; return sparse; },
  () => "ab\u0344c",
  () => "x".repeat(1e5),
  () => new Uint8Array(8),
  () => new Float64Array(new ArrayBuffer(64, { maxByteLength: 128 })),
  () => new ArrayBuffer(16, { maxByteLength: border }),
  () => Object.assign(/(a)|b/gy, { lastIndex: border }),
  () => new DataView(new ArrayBuffer(16)),
  () => new Map([[1, 2]]),
  () => new Set([1]),
  () => 2n ** 64n,
  () => border,
  () => (...args) => args.length,
];

const lists = (border, receiver) => [
  [],
  [border],
  [border, border],
  [-border, border, 1],
  [1, border, "x"],
  [() => border, border],
  [receiver, border],
  [receiver, { length: border }],
  ["x", border],
  [{ size: border, has: () => true, keys: () => [].values() }],
  [BigInt(border), BigInt(border)],
  [receiver, [border]],
];

const all = functions();
const pick = (list, by) => list[by % list.length];
const border = pick(BORDERS, CASE);
const called = pick(all, Math.floor(CASE / BORDERS.length));
const random = () => Math.floor(Math.random() * 2 ** 32);
let receiver, list;
try {
  receiver = pick(receivers(border), random())();
  list = pick(lists(border, receiver), random());
} catch (error) {
  if (error instanceof RangeError) return "value";
  throw error;
}
try {
  const value = Math.random() < 0.2 && called.prototype ? Reflect.construct(called, list) : Reflect.apply(called, receiver, list);
  if (value && typeof value.next === "function") value.next();
  if (value && typeof value.then === "function") value.then(() => 1, () => 1);
  return "value";
} catch (error) {
  if (error === STOP) return "value";
  if (error instanceof Error && typeof error.message === "string" && error.message) return error.name;
  throw new Error("thrown: " + typeof error + " by " + called.name);
}
