import { Console } from "node:console";
import { Writable } from "node:stream";
import { check } from "./check.mjs";
import { POLLUTE } from "./load.mjs";

// What console.log gets, and what it logs.
const MESSAGES = [
  [`"a", 1, true, null, undefined`, "a 1 true null undefined"],
  [``, ""],
  [`{ a: 1, b: [1, 2] }`, '{"a":1,"b":[1,2]}'],
  [`[undefined, NaN, 1n, -0, Infinity, "x"]`, '[undefined,NaN,1n,-0,Infinity,"x"]'],
  [`function f() {}, () => 1, class C {}`, "[Function: f] [Function (anonymous)] [Function: C]"],
  [`Symbol("x"), { [Symbol("k")]: Symbol.iterator }`, "Symbol(x) {[Symbol(k)]:Symbol(Symbol.iterator)}"],
  [`new Date(0), { d: new Date(NaN) }`, '"1970-01-01T00:00:00.000Z" {"d":Invalid Date}'],
  [`/a\\/b/gi`, "/a\\/b/gi"],
  [`new Map([["a", 1], [{ k: 1 }, [2]]]), new Set([1, "b"])`, 'Map(2) {"a" => 1,{"k":1} => [2]} Set(2) {1,"b"}'],
  [`new (class Point { x = 1; #y = 2 })()`, 'Point {"x":1}'],
  [`new (class MyMap extends Map {})([[1, 2]])`, "MyMap(1) {1 => 2}"],
  [`new (class List extends Array {})(1, 2)`, "List(2) [1,2]"],
  [`Object.create(null)`, "{}"],
  [`new Uint8Array([1, 2]), new ArrayBuffer(8), new DataView(new ArrayBuffer(4))`,
   "Uint8Array(2) [1,2] ArrayBuffer(8) DataView(4)"],
  [`Promise.resolve(1), new WeakMap(), new WeakRef({})`, "Promise {…} WeakMap {…} WeakRef {…}"],
  [`Object("s"), Object(1), Object(true), Object(1n), Object(Symbol("q"))`,
   '[String: "s"] [Number: 1] [Boolean: true] [BigInt: 1n] [Symbol: Symbol(q)]'],
  [`[1, , 3]`, "[1,empty,3]"],
  [`(() => { const a = { n: 1 }; a.self = a; a.list = [a]; return a; })()`,
   '{"n":1,"self":[Circular],"list":[[Circular]]}'],
  [`(() => { const s = {}; return [s, s]; })()`, "[{},{}]"],
  [`{ get a() { throw 1 }, set b(v) {}, get c() { return 1 }, set c(v) {} }`,
   '{"a":[Getter],"b":[Setter],"c":[Getter/Setter]}'],
  [`{ a: { b: { c: { d: { e: { f: { g: 1 } } } } } } }`, '{"a":{"b":{"c":{"d":{"e":{"f":[Object]}}}}}}'],
  [`[[[[[[[1]]]]]]]`, "[[[[[[[Array]]]]]]]"],
  [`Array.from({ length: 123 }, () => 1)`, `[${"1,".repeat(100)}… 23 more]`],
  [`new Set(Array.from({ length: 123 }, (_, i) => i)).size, new Array(1e9).length`, "123 1000000000"],
  [`"%s is %d years, %i, %f, %j, %o, %O%c!%%", "Bob", "42", 3.7, "1.5x", { a: 1 }, [1], { b: 2 }, "css"`,
   'Bob is 42 years, 3, 1.5, {"a":1}, [1], {"b":2}!%'],
  [`"%s", "a", "b", { c: 1 }`, 'a b {"c":1}'],
  [`"100%%"`, "100%%"], [`"100%", 5`, "100% 5"], [`"%s %s", 1`, "1 %s"], [`"%x %d", {}`, "%x NaN"], [`"%d", 5n`, "5n"],
   [`"%%s", 1`, "%s 1"],
  [`new URL("http://a/b"), new URLSearchParams("a=1"), [AbortSignal.abort()]`,
   'URL "http://a/b" URLSearchParams(1) {"a" => "1"} [AbortSignal {"aborted":true}]'],
  [`new Proxy({ a: 1 }, {}), new Proxy([1], {})`, '{"a":1} [1]'],
  [`new Proxy({}, { getPrototypeOf() { throw 1 } }), "after"`, "[unreadable] after"],
  [`[new Proxy({ a: 1 }, { ownKeys() { throw 1 } })]`, "[[unreadable]]"],
  [`new Proxy({}, { getPrototypeOf() { return new Proxy({}, this) } })`, "{}"],
  [`{ toString() { throw 1 }, [Symbol.toPrimitive]() { throw 2 }, toJSON() { throw 3 } }`,
   '{"toString":[Function: toString],"toJSON":[Function: toJSON],[Symbol(Symbol.toPrimitive)]:[Function: [Symbol.toPrimitive]]}'],
  [`"%s %d %j", { toString() { throw 1 } }, { valueOf() { throw 1 } }, { toJSON() { throw 1 } }`,
   '{"toString":[Function: toString]} NaN [not JSON]'],
  [`Object.create(Map.prototype), Object.create(Date.prototype)`, "Map {} Date {}"],
  [`{ e: new TypeError("t") }, [new RangeError("r", { cause: 5 })]`,
   '{"e":[TypeError: t]} [[RangeError: r] {"cause":5}]'],
  [`(function () { return arguments })(1)`, '{"0":1}'],
  [`(function* () {})()`, "Generator {}"],
  [`"\\ud800"`, "\ufffd"],
  [`"line\\nbreak", ["line\\nbreak"]`, 'line\nbreak ["line\\nbreak"]'],
];

const DESCRIBED = [
  [`new TypeError("bad")`, "TypeError: bad"], [`new Error("")`, "Error"], [`"text"`, "text"], [`undefined`,
   "undefined"], [`{ a: 1 }`, '{"a":1}'], [`null`, "null"],
  [`Object.assign(new Error("m"), { name: "" })`, "m"], [`new (class X extends Error { get name() { return "X";
   } })("m")`, "X: m"],
  [`Object.defineProperty(new Error("m"), "message", { get() { throw 1; } })`, "Error"], [`Symbol("s")`, "Symbol(s)"],
  [`new DOMException("m", "AbortError")`, "AbortError: m"], [`new Proxy({}, { getPrototypeOf() { throw 1 } })`,
   "[unreadable]"], [`() => 1`, "[Function (anonymous)]"],
  [`new Error("outer", { cause: new Error("inner") })`, "Error: outer"],
];

const TABLES = [
  `[{ a: 1, b: 'x' }, { a: 22 }]`, `['x', 'y']`, `[]`, `{}`, `{ r: { a: 1 }, s: 5 }`, `[[1, 2], [3, 4, 5]]`, `[{ a: 1, b: 2 }], ["b"]`, `[1, { a: 2 }]`, `new Map([["k", { v: 1 }], [2, 3]])`, `new Set([1, "b"])`,
  `[{ name: "日本", v: [1, 2, 3, 4, 5] }, { name: "é", v: { a: 1, b: 2, c: 3 } }]`, `[{ 2: "b", 1: "a", x: null, y: undefined }]`, `[{ a: 1 }], ["missing"]`, `[() => 1, { f() {} }]`, `[{ "": 1 }]`, `[{ a: "line\\nbreak" }]`,
];

/** What Node prints for a table. */
function nodeTable(values) {
  let text = "";
  const stdout = new Writable({ write(chunk, encoding, done) { text += chunk; done(); } });
  (0, eval)("(console) => console.table(" + values + ")")(new Console({ stdout, stderr: stdout }));
  return text.replace(/\n$/, "");
}

export async function testConsole(loadPrelude) {
  const { run, logs, describe, runModule, context } = loadPrelude();
  const logged = (code) => {
    logs.length = 0;
    run(code);
    return logs.map(([level, text]) => `${level} ${text}`);
  };
  for (const [values, text] of MESSAGES) check(`log(${values})`, logged(`console.log(${values})`), [`1 ${text}`]);
  for (const [value, text] of DESCRIBED) check(`describe(${value})`, describe(run(`(${value})`)), text);

  check("levels", logged("for (const level of ['debug', 'log', 'info', 'warn', 'error', 'dir']) console[level](level)"),
    ["0 debug", "1 log", "2 info", "3 warn", "4 error", "1 dir"]);
  check("trace", /^0 Trace: a 1\n[^]* at /.test(logged("console.trace('a', 1)")[0]), true);
  check("methods need no receiver", logged("const { log } = console; [1].forEach((x) => log(x))"), ["1 1"]);
  check("assert", logged("console.assert(true, 'x'); console.assert(0); console.assert(0, 'a', 1)"),
    ["4 Assertion failed", "4 Assertion failed: a 1"]);
  check("count", logged("console.count(); console.count('x'); console.count(); console.countReset(); console.count()"),
    ["1 default: 1", "1 x: 1", "1 default: 2", "1 default: 1"]);
  check("group", logged("console.group('g'); console.log('a\\nb'); console.groupEnd(); console.groupEnd(); console.log('c')"), ["1 g", "1   a\n  b", "1 c"]);
  check("time", logged("console.time('x'); console.timeLog('x', 1, 'a'); console.timeEnd('x'); console.timeEnd('x'); console.time(); console.time()"),
    ["1 x: 1ms 1 a", "1 x: 2ms", "3 No such label 'x' for console.timeEnd()", "3 Label 'default' already exists for console.time()"]);
  check("an unknown count", logged("console.countReset('y')"), ["3 Count for 'y' does not exist"]);
  check("dir with options", logged("console.dir({ a: { b: { c: 1 } } }, { depth: 0 })"), ["1 { a: [Object] }"]);
  for (const values of TABLES) check(`table(${values})`, logged(`console.table(${values})`), [`1 ${nodeTable(values)}`]);
  check("what is no table", logged("console.table(5); console.table('x'); console.table(null)"), ["1 5", "1 x", "1 null"]);
  check("a table with a getter that throws", logged("console.table([{ get a() { throw 1 } }])"), ['1 [{"a":[Getter]}]']);
  check("an error has its stack", /^1 Error: boom\n +at /.test(logged("console.log(new Error('boom'))")[0]), true);
  check("a long text is cut", logged("console.log('x'.repeat(100000))")[0].length, 2 + 64 * 1024 + 1);
  check("a cut leaves no half character", /[^\ud83d]…$/.test(logged("console.log('x' + '😀'.repeat(40000))")[0]), true);
  check("a wide tree is cut",
    logged("let t = 1; for (let i = 0; i < 6; i++) t = Array(100).fill(t); console.log(t)")[0].length < 66000, true);
  check("an object that logs itself ends", logged(`
    class Loud extends Error { get name() { console.log(this); return "a"; } get message() { console.log(this);
    return "b"; } }
    console.log(new Loud())`).length < 30, true);
  check("with many keys",
    logged("console.log(Object.fromEntries(Array.from({ length: 105 }, (_, i) => ['k' + i, 1])))")[0].endsWith(",… 5 more}"), true);

  const missing = ["eval", "Function", "Atomics", "SharedArrayBuffer", "WebAssembly", "fetch", "navigator", "WebSocket"];
  check("not there", missing.filter((name) => name in context), []);
  check("globals are as elsewhere", run(`JSON.stringify(["console", "URL", "setTimeout"].map((name) => {
    const { writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(globalThis, name);
    return [writable, enumerable, configurable]; }))`),
    JSON.stringify(Array(3).fill([true, false, true])));

  check("runModule calls a default function", await runModule(Promise.resolve(), { default: async () => 5 }), 5);
  check("runModule returns a default value", await runModule(Promise.resolve(), { default: 6 }), 6);

  const polluted = loadPrelude();
  polluted.run(`${POLLUTE}
    class Own { x = [1n, { y: undefined }] }
    console.log("%s and", "text", { a: [1, "b"], m: 5 }, new Own());
    console.group(); console.warn("a\\nb", /x/g, () => 1); console.groupEnd(); console.count("c");
    console.assert(false, 1);`);
  check("logging works with polluted prototypes", polluted.logs, [
    [1, 'text and text {"a":[1,"b"],"m":5} Own {"x":[1n,{"y":undefined}]}'.replace("text and text", "text and")],
    [3, "  a\n  b RegExp {} [Function (anonymous)]"], [1, "c: 1"], [4, "Assertion failed: 1"],
  ]);
}
