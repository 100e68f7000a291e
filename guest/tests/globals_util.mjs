// util.inspect, util.format and the rest of node:util.

const VALUES = [
  `undefined`, `null`, `5`, `-0`, `10n`, `"text"`, `"it's"`, `'"both" \\'kinds\\''`, '"all \\` \' \\""', `"line\\nbreak\\t\\u0000\\u001b\\x7f"`, `"\\ud800x"`, `Symbol("s")`, `true`,
  `[]`, `{}`, `[1, 2, 3]`, `[1, "a", null, undefined, [2]]`, `[1, , 3, , ,]`, `[undefined, null]`, `{ a: 1, b: "x", c: [1, { d: 2 }] }`,
  `{ a: { b: { c: { d: 1 } } } }`, `[[[[1]]]]`, `{ "a-b": 1, 3: 2, [Symbol("k")]: 3, "": 4, __proto__: { x: 1 } }`,
  `{ get a() { return 1 }, set b(v) {}, get c() { return 1 }, set c(v) {} }`, `Object.create(null)`, `Object.assign(Object.create(null), { a: 1 })`,
  `new (class Point { x = 1; #y = 2 })()`, `new (class Empty {})()`, `new (class extends Array {})(1, 2)`, `new (class List extends Array {})(3)`,
  `Object.create({ constructor: undefined })`, `Object.create(Object.create(null))`,
  `function f() {}`, `() => 1`, `class A {}`, `class B extends Array {}`, `async () => {}`, `async function named() {}`, `function* g() {}`, `async function* ag() {}`, `Object.assign(() => 1, { a: 1 })`,
  `Map`, `Math.max`, `class { static x = 1 }`,
  `new Map()`, `new Map([["a", 1], [{ k: 1 }, [2]]])`, `new Set()`, `new Set([1, "b", {}])`, `new Map([[1, new Map([[2, new Map([[3, new Map()]])]])]])`,
  `new (class MyMap extends Map {})([[1, 2]])`, `new WeakMap()`, `new WeakSet()`,
  `new Date(0)`, `new Date(NaN)`, `{ d: new Date(5) }`, `/a\\/b/gi`, `Object.assign(/x/, { a: 1 })`,
  `Promise.resolve(5)`, `new Promise(() => {})`, `Promise.resolve({ a: 1 })`, `(() => { const p = Promise.reject(new TypeError("x").message); p.catch(() => {}); return p })()`,
  `new Uint8Array([1, 2])`, `new Uint8Array()`, `new Float64Array([1.5, -0])`, `new BigInt64Array([1n])`, `new Uint8Array(3).buffer`, `new ArrayBuffer(0)`, `new DataView(new ArrayBuffer(2))`,
  `Buffer.from("hello")`, `Buffer.alloc(60)`, `{ b: Buffer.from("x") }`,
  `Object("s")`, `Object(1)`, `Object(true)`, `Object(1n)`, `Object(Symbol("q"))`, `Object.assign(Object("ab"), { x: 1 })`,
  `(() => { const a = { n: 1 }; a.self = a; a.list = [a]; return a })()`, `(() => { const a = { x: {} }; a.x.y = a.x; a.z = a; return a })()`, `(() => { const s = {}; return [s, s] })()`,
  `(function () { return arguments })(1, 2)`, `globalThis.Math.PI`, `JSON`, `Math`, `new Proxy({ a: 1 }, {})`,
  `Array.from({ length: 7 }, (_, i) => i)`, `Array.from({ length: 30 }, (_, i) => i * 100)`, `Array.from({ length: 120 }, (_, i) => i)`, `Array.from({ length: 101 }, () => "word")`,
  `["apple", "banana", "cherry", "dragonfruit", "elderberry", "fig", "grape", "honeydew"]`, `Array.from({ length: 27 }, (_, i) => "x".repeat(i % 9))`,
  `Array.from({ length: 10 }, (_, i) => ({ id: i }))`, `Array.from({ length: 8 }, (_, i) => [i, "a"])`, `new Set(Array.from({ length: 120 }, (_, i) => i))`, `new Map(Array.from({ length: 9 }, (_, i) => ["key" + i, { i }]))`,
  `{ name: "Alice Example", email: "alice@example.com", roles: ["admin", "editor"], address: { city: "Oslo", zip: "0150" } }`,
  `{ first: "a".repeat(60), second: "b".repeat(60) }`, `{ text: "word ".repeat(40) }`, `{ text: "line one\\nline two is longer\\n".repeat(6) }`, `["x".repeat(200), "y\\n".repeat(100)]`, `"x".repeat(300)`,
  `{ a: [{ b: { c: {} } }], d: new Map([[{ e: 1 }, new Set([[1]])]]) }`, `{ a: 1n, b: Symbol.iterator, c: -0, d: undefined, e: null, f: NaN }`,
  `Object.fromEntries(Array.from({ length: 40 }, (_, i) => ["key" + i, i]))`, `{ users: Array.from({ length: 3 }, (_, i) => ({ id: i, name: "user" + i, tags: ["a", "b"] })), total: 3 }`,
  `{ [Symbol.toStringTag]: "Tagged", a: 1 }`, `new (class X { get [Symbol.toStringTag]() { return "Y" } })()`, `{ a: function () {}, b: class {}, c: () => {} }`,
  `{ [Symbol.for("nodejs.util.inspect.custom")]() { return "custom!" } }`, `[{ [Symbol.for("nodejs.util.inspect.custom")](depth, options, inspect) { return { depth, same: typeof inspect } } }]`,
  `Object.defineProperty({}, "hidden", { value: 1 })`, `"a".repeat(20) + "\\n" + "b".repeat(120)`,
];
const OPTIONS = [
  `{ depth: 0 }`, `{ depth: null }`, `{ depth: 5, breakLength: 40 }`, `{ compact: false }`, `{ compact: true }`, `{ compact: 1 }`, `{ breakLength: Infinity }`, `{ sorted: true }`,
  `{ maxArrayLength: 2 }`, `{ maxStringLength: 5 }`, `{ getters: true }`, `true`,
];
const NESTED = [
  `{ a: { b: { c: { d: 1 } } }, list: [1, 2, 3, [4, [5, [6]]]], z: "text that is longer", y: new Map([["k", { v: 1 }]]) }`,
  `[{ b: 2, a: 1 }, { get x() { return 5 } }, new Set([3, 2, 1]), "long text here", [1, 2, 3, 4, 5, 6, 7, 8]]`, `[]`, `{ a: [] }`,
];

export const INSPECTED = [
  ...VALUES.map((value) => `require("util").inspect(${value})`),
  ...NESTED.flatMap((value) => OPTIONS.filter((option) => option !== "true" || !value.includes("Map")).map((option) => `require("util").inspect(${value}, ${option})`)),
  `require("util").inspect(new Error("boom")).split("\\n")[0]`, `require("util").inspect(new (class MyError extends Error {})("m")).split("\\n")[0]`,
  `require("util").inspect({ a: 1 }, false, null)`,
];

export const UTILITIES = [
  ...[
    `new URL("https://u:p@a.b:8080/c?d=1#e")`, `[[new URL("a:b")]]`, `{ a: { b: { c: new URL("a:b") } } }`, `new (class Own extends URL {})("a:b")`,
    `new URLSearchParams("a=1&b=2")`, `new URLSearchParams()`, `new URLSearchParams({ a: "x".repeat(100), b: "y" })`, `{ a: { b: { c: new URLSearchParams("a=1") } } }`,
    `(() => { const keys = new Map([["a", 1], ["b", 2]]).keys(); keys.next(); return keys })()`, `new Map([["a", { b: { c: [1] } }]]).entries()`, `new Map().values()`, `new Set([1, 2]).values()`, `new Set([1, 2]).entries()`,
    `[{ a: { b: new Set().values() } }]`, `new Set(Array.from({ length: 120 }, (_, i) => i)).values()`, `(() => { const used = new Set([1]).values(); [...used]; return used })()`,
    `new Blob(["abc"], { type: "text/plain" })`, `new File(["a"], "n.txt", { lastModified: 5 })`, `new Headers({ a: "1" })`, `[new Proxy({ a: 1 }, {})]`,
  ].map((value) => `require("util").inspect(${value})`),
  `require("util").inspect(new URL("a:b"), { depth: 0 })`, `(() => { const it = new Map([[1, 2]]).entries(); require("util").inspect(it); return it.next().value })()`,
  `[new Proxy({}, {}), {}, 1, new Proxy(() => {}, {})].map((value) => require("util").types.isProxy(value))`, `typeof process.version + typeof process.versions.node + typeof process.pid`,
  `(() => { process.env.ISOBOX_A = 1; const { ISOBOX_A } = process.env; delete process.env.ISOBOX_A; return [ISOBOX_A, "ISOBOX_A" in process.env] })()`, `console.clear()`,
  ...[
    `"a"`, `"%s", "x"`, `"%s", 5, "y"`, `"%s %s", 1`, `"%d", "42"`, `"%d", 1n`, `"%i", 3.9`, `"%f", "1.5x"`, `"%j", { a: 1 }`, `"%j", undefined`, `"%O", { a: { b: { c: {} } } }`, `"%o", [1]`, `"%%", 1`, `"%c", "css"`,
    `"100%", 5`, `"%x", 1`, `1, 2, "3"`, `{ a: 1 }, [1]`, `"a", { b: "c" }`, `"%s", { a: { b: 1 } }`, `"%s", [1, [2, [3]]]`, `"%s", null`, `"%s", undefined`, `"%s", Symbol("x")`, `"%s", () => 5`,
    `"%s", new (class A { toString() { return "own" } })()`, `"%s", new Date(0)`, `"%s", -0`, `"%s", 10n`, `"%d", {}`, `"%d", "0x10"`, `"%i", "12px"`, `""`, ``, `"%s%s", "a", "b", "c"`, `Symbol("x")`, `"%%s", 1`, `"%d", Symbol("x")`,
  ].map((values) => `require("node:util").format(${values})`),
  `require("util").isDeepStrictEqual({ a: [1, new Map([[1, { b: 2 }]])] }, { a: [1, new Map([[1, { b: 2 }]])] })`,
  ...[
    `[1, "1"]`, `[NaN, NaN]`, `[0, -0]`, `[{ a: 1 }, { a: 1, b: undefined }]`, `[[1, 2], [1, 2]]`, `[[1, 2], [2, 1]]`, `[new Set([1, 2]), new Set([2, 1])]`, `[new Set([{ a: 1 }]), new Set([{ a: 1 }])]`, `[new Date(1), new Date(1)]`,
    `[new Date(1), new Date(2)]`, `[/a/g, /a/g]`, `[/a/g, /a/i]`, `[new Error("a"), new Error("a")]`, `[new Error("a"), new Error("b")]`, `[new Error("a"), new TypeError("a")]`, `[Object(1), Object(1)]`, `[Object(1), 1]`,
    `[new (class A {})(), {}]`, `[new Uint8Array([1]), new Uint8Array([1])]`, `[new Uint8Array([1]), [1]]`, `[Buffer.from("a"), Buffer.from("a")]`, `[{ [Symbol.for("x")]: 1 }, {}]`, `[null, undefined]`, `[[1, , 3], [1, undefined, 3]]`,
    `[new Map([[{}, 1]]), new Map([[{}, 1]])]`, `[new Map([["a", 1]]), new Map([["a", 2]])]`, `[() => 1, () => 1]`, `[new Set([1]), [1]]`, `["a", Object("a")]`,
    `(() => { const a = {}; a.a = a; const b = {}; b.a = b; return [a, b] })()`, `[{ a: 1, b: 2 }, { b: 2, a: 1 }]`, `[new ArrayBuffer(2), new ArrayBuffer(2)]`,
  ].flatMap((pair) => [
    `require("util").isDeepStrictEqual(...${pair})`,
    `(() => { try { require("assert").deepEqual(...${pair}); return "equal" } catch (error) { return error.code } })()`,
  ]),
  `require("util").promisify((a, callback) => callback(null, a + 1))(2)`, `require("util").promisify((callback) => callback(new RangeError("no")))()`, `require("util").promisify(5)`,
  `require("util").promisify(setTimeout)(1, "later")`, `require("timers/promises").setTimeout(1, "value")`, `require("timers/promises").setImmediate("now")`,
  `new Promise((resolve) => require("util").callbackify(async (x) => x * 2)(21, (error, value) => resolve([error, value])))`,
  `(() => { function A() {} function B() {} require("util").inherits(B, A); return [new B() instanceof A, B.super_ === A] })()`,
  `Object.entries(require("util").types).filter(([name]) => ["isDate", "isRegExp", "isMap", "isSet", "isPromise", "isNativeError", "isTypedArray", "isUint8Array", "isArrayBuffer", "isAsyncFunction", "isGeneratorFunction", "isBoxedPrimitive", "isDataView", "isWeakMap"].includes(name)).sort().map(([name, check]) => [name, [new Date(), /x/, new Map(), new Set(), Promise.resolve(), new Error(), new Uint8Array(), new ArrayBuffer(1), async () => {}, function* () {}, Object(1), new DataView(new ArrayBuffer(1)), new WeakMap(), {}, 1].map((value) => check(value))])`,
  `require("util").stripVTControlCharacters("\\u001b[31mred\\u001b[0m")`, `typeof require("util").TextEncoder`, `require("util").deprecate((a) => a + 1, "old")(1)`,
  `require("util").inspect.custom.toString()`, `require("node:util") === require("util")`,
  // console and timers
  `(() => { const order = []; setTimeout(() => order.push("timeout"), 0); Promise.resolve().then(() => order.push("promise")); process.nextTick(() => order.push("tick")); queueMicrotask(() => order.push("microtask")); order.push("code"); return new Promise((resolve) => setTimeout(() => resolve(order.filter((x) => x !== "tick")), 5)) })()`,
  `new Promise((resolve) => { let n = 0; const timer = setInterval((step) => { n += step; if (n === 6) { clearInterval(timer); setTimeout(() => resolve(n), 10) } }, 1, 2) })`,
  `new Promise((resolve) => setImmediate((a, b) => resolve([a, b]), 1, 2))`, `new Promise((resolve) => { clearImmediate(setImmediate(() => resolve("fired"))); setTimeout(resolve, 5, "cleared") })`,
  `new Promise((resolve) => { const t = setTimeout(() => resolve("fired"), 1); clearTimeout(t); clearInterval(setInterval(() => resolve("interval"), 1)); setTimeout(resolve, 8, "cleared") })`,
  `(() => { const t = setTimeout(() => {}, 1000); const same = t.unref() === t && t.ref() === t; clearTimeout(t); return [typeof t, same, t.hasRef()] })()`,
  `(() => { const a = performance.now(); const b = performance.now(); return [typeof a, b >= a, performance.timeOrigin >= 0] })()`, `typeof process.env`, `process.env.NOT_SET ?? null`, `typeof process.hrtime.bigint()`, `process.uptime() >= 0`,
  `globalThis === global`, `typeof structuredClone(new Date())`, `AbortSignal.timeout(1).aborted`, `AbortSignal.any([AbortSignal.abort("x")]).reason`,
];
