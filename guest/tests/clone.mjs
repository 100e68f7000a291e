import { inspect } from "node:util";
import { check, compare } from "./check.mjs";

// Each makes a value; inside and outside the context, and what the two clones look like is compared.
const VALUES = {
  primitives: `[1, -0, NaN, "a", true, null, undefined, 10n, Infinity]`,
  plain: `({ a: 1, b: { c: [1, 2, { d: 3 }] }, "": 0, ["__proto__"]: 5, 3: 1, 1: 2 })`,
  sparse: `(() => { const a = [1, , 3]; a.extra = 1; a.length = 6; return a; })()`,
  boxed: `[Object(1), Object("x"), Object(false), Object(5n)]`,
  dates: `[new Date(5), new Date(NaN)]`,
  regexps: `[/a+/gi, (() => { const r = /x/y; r.lastIndex = 3; return r; })()]`,
  map: `new Map([[1, { a: 1 }], [{ k: 1 }, new Set([1, [2]])]])`,
  buffers: `[new Uint8Array([1, 2, 3]).buffer, new Uint8Array([1, 2, 3]).subarray(1), new Float64Array([1.5]), new BigInt64Array(2)]`,
  view: `new DataView(new ArrayBuffer(8), 2, 4)`,
  instances: `new (class A { x = 1; get y() { return 2; } })()`,
  getters: `({ get a() { return { b: 1 }; } })`,
  getterThatDeletes: `({ get a() { delete this.b; return 1; }, b: 2 })`,
  hidden: `Object.defineProperty({ [Symbol("s")]: 1 }, "h", { value: 1 })`,
  nullPrototype: `Object.assign(Object.create(null), { a: 1 })`,
  notReallyAMap: `Object.create(Map.prototype)`,
  subclass: `new (class M extends Map { extra = 1 })([[1, 2]])`,
  arraySubclass: `(class A extends Array {}).from([1, 2])`,
  cycle: `(() => { const a = { list: [] }; a.self = a; a.list.push(a); a.map = new Map([[a, a]]); return a; })()`,
  arguments: `(function () { return arguments; })(1, 2)`,
  function: `() => 1`, symbol: `Symbol("s")`, nested: `({ a: { f() {} } })`, promise: `Promise.resolve()`,
    weak: `new WeakMap()`,
  weakRef: `new WeakRef({})`, generator: `(function* () {})()`, boxedSymbol: `Object(Symbol())`,
};
const ERRORS = {
  plain: `new Error("m")`, type: `new TypeError("m", { cause: { a: [1] } })`, noMessage: `new RangeError()`,
  named: `Object.assign(new Error("m"), { name: "SyntaxError" })`, custom: `new (class X extends Error { name = "X";
    code = 5 })("m")`,
  aggregate: `new AggregateError([1], "m")`,
};

export function testClone({ run }, known) {
  // Outside, the same text: what `inspect` says of two clones is the same if they are.
  const outside = (code) => (0, eval)(code);
  for (const [name, code] of Object.entries(VALUES)) {
    compare(`clone ${name}`, () => shown(run(`structuredClone(${code})`)), () => shown(structuredClone(outside(code))),
      known);
  }
  for (const [name, code] of Object.entries(ERRORS)) {
    const look = (error) => [
      Object.prototype.toString.call(error), error.name, error.message, error.code, error.errors,
        Object.getPrototypeOf(error).name,
      Object.hasOwn(error, "message"), Object.keys(error).join(), shown(error.cause), typeof error.stack,
    ];
    compare(`clone error ${name}`, () => look(run(`structuredClone(${code})`)),
      () => look(structuredClone(outside(code))));
  }
  check("an error that is its own cause", run(`const e = new Error("m"); e.cause = e; const f = structuredClone(e);
    f.cause === f && f !== e`), true);
  check("shared references stay shared", run(`
    const shared = { x: 1 }, buffer = new ArrayBuffer(8);
    const c = structuredClone({ a: shared, b: shared, m: new Map([[shared, shared]]), u: new Uint8Array(buffer), v: new DataView(buffer) });
    c.a === c.b && c.a !== shared && c.m.get(c.a) === c.a && c.u.buffer === c.v.buffer && c.u.buffer !== buffer`),
      true);
  check("transfer takes the buffer away", run(`
    const moved = Uint8Array.of(1, 2); const copy = structuredClone({ moved }, { transfer: [moved.buffer] });
    [moved.length, copy.moved.length, copy.moved[1]].join()`), "0,2,2");
  const name = (code) => run(`(() => { try { ${code} } catch (e) { return e.name + " " + e.code + " " + (e instanceof DOMException) } })()`);
  check("the error is a DataCloneError", name("structuredClone(() => 1)"), "DataCloneError 25 true");
  check("only buffers transfer", name("structuredClone(1, { transfer: [{}] })"), "DataCloneError 25 true");
  check("not twice", name("const b = new ArrayBuffer(1); structuredClone(1, { transfer: [b, b] })"),
    "DataCloneError 25 true");
  check("needs an argument", name("structuredClone()").split(" ")[0], "TypeError");
  check("a failed clone takes nothing away", run(`
    const kept = new ArrayBuffer(4);
    try { structuredClone([kept, () => 1], { transfer: [kept] }) } catch {} kept.byteLength`), 4);
  check("platform objects are refused", name("structuredClone(new URL('a:b'))"), "DataCloneError 25 true");
  check("a DOMException is cloned",
    run("const d = structuredClone(new DOMException('m', 'AbortError')); d.name + d.message"), "AbortErrorm");
}

const shown = (value) => inspect(value, { depth: 9, showHidden: false }) + Object.prototype.toString.call(value);
