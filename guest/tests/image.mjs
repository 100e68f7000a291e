// Runs the prelude where it belongs, inside of the built image, and compares it with Node:
//     guest/build.py && node guest/tests/image.mjs

import { readFileSync } from "node:fs";
import { check, finish, outcome, requirePinnedNode } from "./check.mjs";
import { testDates } from "./dates.mjs";
import { testFailureParts } from "./failure_parts.mjs";
import { bodyOf, testGlobals } from "./globals.mjs";
import { answerIntl, testIntl } from "./intl.mjs";
import { POLLUTE } from "./load.mjs";
import { testSorting } from "./sorting.mjs";
import { BASES, QUERY_TEXTS, TEXTS, randomURLs } from "./url_inputs.mjs";

requirePinnedNode();

const MODULE = new WebAssembly.Module(readFileSync(new URL("../isobox-guest.wasm", import.meta.url)));

/** Runs the body of an async function, whose timers fire at once; returns its outcome and what it logged. */
export function runInImage(body) {
  return runSource(`(async () => {${body}})`, 0);
}

function runModule(source) {
  return runSource(source, 1);
}

function runSource(source, how) {
  return new Image().run(source, how);
}

/** An instance of the image. Programs that run in it one after the other are those of one session. */
class Image {
  #exports;
  #host = {};

  constructor() {
    const names = ["mark", "refusal", "call", "timer", "clear", "log", "fact", "intl", "answer", "unawaited", "hint", "done", "fail"];
    const imports = Object.fromEntries(names.map((name) => [name, (...values) => this.#host[name](...values)]));
    this.#exports = new WebAssembly.Instance(MODULE, { isobox: imports }).exports;
  }

  get memory() { return new Uint8Array(this.#exports.memory.buffer); }

  close() { return this.#exports.isobox_close(); }

  /** Has a program compiled, and nothing else. */
  load(source, how = 0) {
    this.#host.mark = () => {};
    const message = program("main.js", source);
    this.#write(message);
    return this.#exports.isobox_load(message.length, how, 512 * 1024, 64 * 1024 * 1024);
  }

  #write(message) {
    new Uint8Array(this.#exports.memory.buffer, this.#exports.isobox_reserve(message.length), message.length).set(message);
  }

  run(source, how, isLoaded = false) {
    const exports = this.#exports;
    const logs = [];
    const facts = [];
    const hints = [];
    const timers = new Map();
    let made = 0;
    let now = 0;
    const result = {};
    let answer = Buffer.alloc(0);
    const text = (at, size) => new TextDecoder().decode(new Uint8Array(exports.memory.buffer, at, size));
    const imports = {
      mark() {},
      fact: (name, nameSize, at, size) => (facts.push([text(name, nameSize), JSON.parse(text(at, size))]), 0),
      refusal: () => 0,
      call: () => -1,
      timer: (delay) => {
        timers.set(made, now + delay);
        return made++;
      },
      clear: (timer) => void timers.delete(timer),
      log: (level, at, size) => logs.push([level, text(at, size)]),
      intl: (at, size) => { answer = answerIntl(text(at, size)); return answer.length; },
      answer: (at, size) => new Uint8Array(exports.memory.buffer, at, size).set(answer.subarray(0, size)),
      unawaited() {},
      hint: (at, size) => hints.push(text(at, size)),
      done: (at, size) => { result.value = JSON.parse(text(at, size)); },
      fail: (origin, at, size) => {
        result.failure = `${origin} ${size ? text(at, size) : ""}`;
        result.report = textsOf(new Uint8Array(exports.memory.buffer, at, size));
      },
    };
    this.#host = imports;
    let state = isLoaded ? 0 : this.load(source, how);
    this.#host = imports;
    if (state === 0) state = exports.isobox_begin(1n, 0, 2000, 30_000);
    while (state === 0 && timers.size > 0) {
      const [number, due] = [...timers].reduce((first, next) => next[1] < first[1] ? next : first);
      timers.delete(number);
      now = Math.max(now, due);
      const answer = Buffer.from(Uint32Array.of(number, 2, 0, 0).buffer).subarray(0, 13);
      this.#write(answer);
      state = exports.isobox_step(answer.length, now);
    }
    return { ...result, logs, hints, facts };
  }
}

/** The texts of a report, each behind its size. */
function textsOf(report) {
  const texts = [];
  for (let at = 0; at < report.length;) {
    const size = new DataView(report.buffer, report.byteOffset + at).getUint32(0, true);
    texts.push(new TextDecoder().decode(report.subarray(at + 4, at + 4 + size)));
    at += 4 + size;
  }
  return texts;
}

function program(name, source) {
  const number = (value) => Buffer.from(Uint32Array.of(value).buffer);
  const string = (text) => [number(Buffer.byteLength(text)), Buffer.from(`${text}\0`)];
  return Buffer.concat([number(1), ...string(name), number(1), ...string(source), number(0), number(0), number(0)]);
}

const FIELDS = ["href", "origin", "username", "password", "host", "port", "pathname", "search", "hash"];
const fields = (text, base) => FIELDS.map((field) => new URL(text, base)[field]);

function testURLs() {
  const pairs = [...TEXTS.map((text) => [text]), ...TEXTS.flatMap((text) => BASES.map((base) => [text, base])),
    ...randomURLs(1500, 99)]
    // What Node 24 gets wrong is in the list of prelude.mjs; here it is about the engine.
    .filter(([text, base]) => !(text.includes("#") && /^(data|about|blob|\w+:[^/])/.test(base ?? "")));
  const ran = runInImage(`
    const pairs = JSON.parse(${JSON.stringify(JSON.stringify(pairs))}), FIELDS = ${JSON.stringify(FIELDS)};
    return pairs.map(([text, base]) => {
      try { const url = new URL(text, base ?? undefined); return FIELDS.map((field) => url[field]); }
      catch (error) { return { thrown: error.name }; }
    });`);
  check("the program of URLs completes", ran.failure, undefined);
  for (const [at, [text, base]] of pairs.entries()) {
    check(`URL ${JSON.stringify(text)} on ${base}`, ran.value?.[at], outcome(() => fields(text, base)));
  }
  const queries = runInImage(`return ${JSON.stringify(QUERY_TEXTS)}.map((text) => { const p = new URLSearchParams(text);
    p.sort(); return [String(p), [...p]] })`);
  check("query strings", queries.value, QUERY_TEXTS.map((text) => {
    const params = new URLSearchParams(text);
    params.sort();
    return [String(params), [...params]];
  }));
}

/** Timers that are left when a program returns. */
function testTimersAtTheReturn() {
  const logs = (body, ...expected) => {
    const ran = runInImage(body);
    check(body, [ran.failure ?? ran.value, ran.logs.map(([, text]) => text)], [1, expected]);
  };
  logs(`setTimeout(() => console.log("late"), 1500); return 1`, "late");
  logs(`setTimeout(() => setTimeout(() => console.log("later"), 500), 1000); return 1`, "later");
  logs(`setTimeout(() => console.log("too late"), 2500); return 1`);
  logs(`setTimeout(() => console.log("unref"), 10).unref(); return 1`);
  logs(`setTimeout(() => console.log("ref"), 10).unref().ref(); return 1`, "ref");
  logs(`setInterval(() => console.log("tick"), 10); return 1`);
  logs(`setInterval(() => console.log("tick"), 10); setTimeout(() => console.log("end"), 25); return 1`, "tick", "tick", "end");
}

/** Timers that are dropped when a program returns, and whether the author is told. */
function testLeftTimers() {
  const hints = (body, isTold) => check(`${body} tells of its timer`, runInImage(body).hints.some((hint) => hint.includes("did not fire")), isTold);
  const sleep = "const sleep = (time) => new Promise((done) => setTimeout(done, time));";
  hints(`${sleep} (async () => { for (let n = 0; n < 5; n++) { await sleep(900); console.log(n) } })(); return 1`, true);
  hints(`${sleep} sleep(5000).then(() => console.log("late")); return 1`, true);
  hints(`const { setTimeout: sleep } = require("timers/promises"); (async () => { await sleep(5000); console.log(1) })(); return 1`, true);
  hints(`setTimeout(() => console.log("late"), 5000); return 1`, true);
  hints(`setTimeout(() => console.log("late"), 5000).unref(); setInterval(() => {}, 1000); return 1`, false);
  hints(`clearTimeout(setTimeout(() => console.log("late"), 5000)); setTimeout(() => {}, 1000); return 1`, false);
  hints(`${sleep} return await Promise.race([1, sleep(5000)])`, false);
  hints(`const late = new Promise((_, no) => setTimeout(() => no(new Error("late")), 5000)); return await Promise.race([1, late])`, false);
  for (const abort of ["() => c.abort()", "() => { c.abort(); }", "function () { c.abort(new Error('late')) }", "() => c.abort('late')", "() => of.it.abort()"]) {
    hints(`const c = new AbortController(), of = { it: c }; setTimeout(${abort}, 5000); return 1`, false);
  }
  hints(`const c = new AbortController(); setTimeout(() => { c.abort(); console.log("late") }, 5000); return 1`, true);
  hints(`const c = new AbortController(); setTimeout(() => c.cancel(), 5000); return 1`, true);
  const [hint] = runInImage(`\nsetTimeout(() => {}, 5000); return 1`).hints;
  check("the hint names the place", hint.includes("its timer in line 2, column 1 was due"), true);
}

/** What a program finds out. */
function testFacts() {
  const gives = (body, ...facts) => check(body, runInImage(body).facts, facts);
  gives(`codemode.fact("a", 1); codemode.fact("b", { c: [1n < 2n, "é"] }); codemode.fact("a"); return 1`,
    ["a", 1], ["b", { c: [true, "é"] }], ["a", null]);
  gives(`globalThis.facts = { a: 1, b: [new Map([[1, 2]])] }; throw new Error("no")`, ["a", 1], ["b", [[[1, 2]]]]);
  gives(`globalThis.facts = [1]; return 1`);
  gives(`globalThis.facts = new Map([[1, 2]]); return 1`);
  gives(`Object.defineProperty(globalThis, "facts", { get: () => ({ a: 1 }) }); return 1`);
  const ran = runInImage(`globalThis.facts = { a: 1n, get b() { throw 1 }, c: 3 }; return 1`);
  check("facts that are no JSON", [ran.value, ran.facts, ran.logs.length], [1, [["c", 3]], 2]);
  check("a fact that is no JSON", runInImage(`try { codemode.fact("a", 1n) } catch (error) { return [error.code, error.message] }`).value,
    ["SERIALIZATION", "the value of a fact is not JSON: the value is a BigInt; convert it with String(…) or Number(…)"]);
}

/** Programs that find the globals of the one before. */
function testSessions() {
  const gives = (...steps) => {
    const image = new Image();
    for (const [source, expected] of steps) {
      const ran = /^export|^import/m.test(source) ? image.run(source, 1) : image.run(`(async () => {${source}})`, 0);
      check(source, ran.failure ?? ran.value, expected);
      check(`closing after ${source}`, image.close(), 0);
    }
  };
  gives([`globalThis.x = { n: 1 }; globalThis.add = (n) => x.n += n; return 1`, 1], [`return [add(2), x.n, typeof y]`, [3, 3, "undefined"]],
    [`return x`, { n: 3 }]);
  gives([`globalThis.t = setTimeout(() => { globalThis.fired = true }, 5000); globalThis.i = setInterval(() => {}, 1000); return 1`, 1],
    [`clearTimeout(t); clearInterval(i); t.refresh(); t.unref(); const own = await new Promise((done) => setTimeout(done, 10, "own"));
      return [own, globalThis.fired ?? null]`, ["own", null]],
    [`const own = setTimeout(() => { globalThis.late = 1 }, 5); clearTimeout(t); await new Promise((done) => setTimeout(done, 10)); return late`, 1]);
  gives([`globalThis.wait = new Promise(() => {}); globalThis.p = Promise.reject(new Error("unhandled")); return 1`, 1],
    [`return await p.catch((error) => error.message)`, "unhandled"]);
  gives([`process.nextTick(() => { globalThis.ticked = 1 }); console.group("a"); return { toJSON() { process.nextTick(() => { globalThis.never = 1 }); return 1 } }`, 1],
    [`await new Promise((done) => process.nextTick(done)); return [ticked, globalThis.never ?? null]`, [1, null]]);
  gives([`import { sep } from "node:path"; globalThis.sep = sep; export default 1`, 1], [`import { sep as other } from "node:path";
    export default [sep === other, typeof require("util").inspect]`, [true, "function"]], [`export default () => sep`, "/"]);
  gives([`globalThis.deep = (n) => n ? deep(n - 1) : 0; try { (function f() { f() })() } catch {} return deep(2000)`, 0], [`return deep(2000)`, 0]);
  gives([`Object.freeze(globalThis); return 1`, 1], [`return 2`, 2]);
  gives([`globalThis.kept = []; for (let n = 0; n < 20000; n++) { const a = { n }; a.self = a; if (n % 100 === 0) kept.push(a) } return 1`, 1],
    [`return kept.length`, 200]);
  const image = new Image();
  image.run(`(async () => { globalThis.fail = () => { null.x }; return 1 })`, 0);
  image.close();
  const failed = image.run(`(async () => {\n  fail();\n})`, 0).failure;
  check("a stack shows the program's own lines", [/main\.js:2:3/.test(failed), failed.includes("prelude"), failed.split("main.js").length], [true, false, 2]);
  check("a program that is no code fails", /^4 SyntaxError/.test(image.run("(async () => {", 0).failure.replace(/[^\x20-\x7e]/g, "")), true);
}

/** What loading writes is all that it does. */
function testLoading() {
  for (const body of [`return [Math.random(), Date.now()]`, `const { inspect } = require("util"); return inspect({ a: 1 })`,
    `globalThis.x = class { #a = 1; static { this.b = 2 } }; return new x().constructor.b`, "return 1 //" + "x".repeat(50_000)]) {
    const source = `(async () => {${body}\n})`;
    const [first, second, third] = [new Image(), new Image(), new Image()];
    const clean = Uint8Array.from(first.memory);
    check("it loads", first.load(source), 0);
    const loaded = Uint8Array.from(first.memory);
    check("its memory has not grown", loaded.length, clean.length);
    second.memory.set(loaded);
    const [written, ran] = [second.run(source, 0, true), third.run(source, 0)];
    check(`${body.slice(0, 60)} gives the same`, written, ran);
    check("and leaves the same memory", Buffer.compare(second.memory, third.memory), 0);
  }
}

/** Values that JSON would lose. */
function testValues() {
  const gives = (body, value, ...hints) => {
    const ran = runInImage(body);
    check(body, [ran.failure ?? ran.value, ran.hints], [value, hints]);
  };
  gives(`return { m: new Map([["a", new Map([[1, 2]])]]) }`, { m: [["a", [[1, 2]]]] },
    "`m` is a Map, and was returned as a list of its entries; Object.fromEntries(…) makes it an object");
  gives(`return new Set([1, [2]])`, [1, [2]], "the result is a Set, and was returned as a list of its members");
  gives(`return [Object.assign(new RangeError("r", { cause: new Error("c") }), { code: "E" })]`,
    [{ name: "RangeError", message: "r", cause: { name: "Error", message: "c" }, code: "E" }],
    "`0` is an Error, and was returned as its name, message and own properties");
  gives(`return new DOMException("m", "AbortError")`, { name: "AbortError", message: "m" },
    "the result is an Error, and was returned as its name, message and own properties");
  gives(`return { bytes: Uint8Array.of(1, 255), buffer: new ArrayBuffer(2), view: new DataView(new ArrayBuffer(4), 1, 2) }`,
    { bytes: [1, 255], buffer: [0, 0], view: [0, 0] },
    "`bytes` is a Uint8Array, and was returned as a list of its numbers");
  gives(`return { a: NaN, b: -Infinity, c: 1.5 }`, { a: null, b: null, c: 1.5 },
    "`a` is NaN, which JSON does not have, and was returned as null");
  gives(`return { due: new Date(NaN), then: new Date(0) }`, { due: null, then: "1970-01-01T00:00:00.000Z" },
    "`due` is an invalid date, and was returned as null");
  gives(`return [1, 2].map(async (n) => n)`, [{}, {}],
    "`0` is a Promise that was not awaited, and was returned as {}; await it, or a list of promises with `await Promise.all(…)`");
  gives(`return { run() {}, x: 1 }`, { x: 1 }, "`run` is a function, and was left out; call it, and return its result");
  gives(`return new Map([[1, 2]]).values()`, {}, "the result is an iterator, and was returned as {}; make it a list with Array.from(…)");
  gives(`function* g() { yield 1 } return g()`, {}, "the result is an iterator, and was returned as {}; make it a list with Array.from(…)");
  gives(`return [/a\\/b/gi]`, ["/a\\/b/gi"], "`0` is a regular expression, and was returned as its text");
  gives(`class Client { #key = 1 } return { client: new Client() }`, { client: {} },
    "`client` is a `Client` without properties of its own, and was returned as {}; return its values instead");
  gives(`return { w: new WeakMap() }`, { w: {} },
    "`w` is a WeakMap without properties of its own, and was returned as {}; return its values instead");
  // What JSON writes as expected needs no hint.
  gives(`class A { x = 1 } return [new A(), Object.create(null), {}, null, "é", new Date(5), Object("s"), 1e300, { toJSON: () => 7 }]`,
    [{ x: 1 }, {}, {}, null, "é", "1970-01-01T00:00:00.005Z", "s", 1e300, 7]);
  gives(`return JSON.stringify([new Map([[1, 2]]), NaN])`, "[{},null]");
  gives(`Map.prototype.forEach = Array.prototype.push = () => { throw 1 }; Map.prototype.toJSON = () => "own"; return [new Map(), new Set([1])]`,
    ["own", [1]], "`1` is a Set, and was returned as a list of its members");
  const bigint = runInImage(`return { total: 10n }`);
  check("a BigInt", bigint.failure?.includes("the result is not JSON: `total` is a BigInt; convert it with String(…) or Number(…)"), true);
}

function testPrograms() {
  const returns = (name, body, value) => {
    const ran = runInImage(body);
    check(name, ran.failure ?? ran.value, value);
  };
  const logs = (name, body, expected) => {
    const ran = runInImage(body);
    check(name, ran.failure ?? ran.logs, expected);
  };
  returns("the globals",
    `return Object.getOwnPropertyNames(globalThis).filter((name) => !/^(\\w+Array|\\w*Error)$/.test(name)).sort().join(" ")`, [
    "AbortController AbortSignal Array ArrayBuffer AsyncDisposableStack BigInt Blob Boolean Buffer Crypto CustomEvent DOMException DataView Date DisposableStack",
    "Event EventTarget File FinalizationRegistry FormData Headers Infinity Intl Iterator",
    "JSON Map Math NaN Number Object Performance Promise Proxy Reflect RegExp Request Response Set String SubtleCrypto Symbol TextDecoder TextEncoder",
    "URL URLPattern URLSearchParams WeakMap WeakRef WeakSet",
    "atob btoa clearImmediate clearInterval clearTimeout codemode console crypto decodeURI decodeURIComponent encodeURI encodeURIComponent escape global",
    "globalThis isFinite isNaN parseFloat parseInt performance process queueMicrotask require self setImmediate setInterval setTimeout structuredClone tools",
    "undefined unescape",
  ].join(" "));
  returns("text", `const bytes = new TextEncoder().encode("é€😀\\ud800");
    return [[...bytes].length, new TextDecoder().decode(bytes),
    new TextDecoder().decode(Uint8Array.of(0xff, 0xc3)), new TextDecoder("latin1").decode(Uint8Array.of(0x80, 0xe9)), new TextDecoder().decode(new Uint8Array(0))]`,
    [12, "é€😀\ufffd", "\ufffd\ufffd", "€é", ""]);
  returns("a clone", `const a = { d: new Date(5), m: new Map([[1, { x: [1n] }]]), e: new TypeError("t", { cause: 1 }), u: Uint8Array.of(1, 2) }; a.self = a;
    const c = structuredClone(a, { transfer: [a.u.buffer] });
    return [c.self === c, c.d.getTime(), c.m.get(1).x[0] === 1n, c.e instanceof TypeError, c.e.message, c.e.cause, c.u[1], a.u.length, c.e.stack === a.e.stack]`,
    [true, 5, true, true, "t", 1, 2, 0, true]);
  returns("an uncloneable",
    `try { structuredClone(() => 1) } catch (e) { return [e.name, e.code, e instanceof DOMException, e.message] }`,
    ["DataCloneError", 25, true, "[Function (anonymous)] could not be cloned."]);
  returns("an abort", `const c = new AbortController(); let n = 0; AbortSignal.any([c.signal]).onabort = () => n++;
    c.abort();
    try { c.signal.throwIfAborted() } catch (e) { return [n, e.name, e.message] }`, [1, "AbortError",
      "This operation was aborted"]);
  logs("values", `console.log("%s", "x", { a: [1, undefined, () => 1], m: new Map([[1, new Set([2])]]), e: new Error("m"), p: Promise.resolve() }, tools, tools.a.b)`,
    [[1, 'x {"a":[1,undefined,[Function (anonymous)]],"m":Map(1) {1 => Set(1) {2}},"e":[Error: m],"p":Promise {…}} [Function (anonymous)] [Function (anonymous)]']]);
  logs("an error", `function f() { try { null.x } catch (e) { console.error(e) } }\nf()`,
    [[4, 'TypeError: cannot read "x" of null\n    at f (main.js:1:41)\n    at <anonymous> (main.js:2:1)']]);
  logs("an error of the prelude", `try { new URL("nope") } catch (e) { console.log(e) }`,
    [[1, 'TypeError: Invalid URL: "nope"\n    at <anonymous> (main.js:1:25) {"code":"ERR_INVALID_URL","input":"nope"}']]);
  logs("a DOMException", `console.log(new DOMException("m", "AbortError"), [AbortSignal.abort().reason])`,
    [[1, "AbortError: m\n    at <anonymous> (main.js:1:31) [[AbortError: This operation was aborted]]"]]);
  logs("polluted prototypes",
    `${POLLUTE} console.log("%s", "a", { b: [1, "c"] }, new TextDecoder().decode(new TextEncoder().encode("é")));
    console.group(); console.warn("a\\nb", { e: 1 })`, [[1, 'a {"b":[1,"c"]} é'], [3, '  a\n  b {"e":1}']]);
  logs("hostile values", `console.log(new Proxy({}, { getPrototypeOf() { return new Proxy({}, this) } }));
    console.log(new Proxy([], { get() { throw 1 } }));
    console.log("x".repeat(10)); let t = 1; for (let i = 0; i < 9; i++) t = [t, t]; console.log(t.length)`,
    [[1, "{}"], [1, "[unreadable]"], [1, "xxxxxxxxxx"], [1, "2"]]);
  const loud = runInImage(`class Loud extends Error { get name() { console.log(this); return "a" } } console.log(new Loud("m"))`);
  check("an object that logs itself ends", loud.logs.map(([, text]) => text.split("\n")[0]), ["…", "…", "a: m", "…", "…", "a: m", "a: m"]);
  const thrown = runInImage(`throw { a: 1 }`);
  check("a thrown object", thrown.failure?.includes('{"a":1}'), true);
  const overflow = runInImage(`let depth = 0; (function f() { depth++; console.log({ depth }); f(); })()`);
  check("logging until the stack ends is a stack overflow", overflow.failure?.startsWith("2 "), true);
}

function testModules() {
  const returns = (name, source, value) => {
    const ran = runModule(source);
    check(name, ran.failure ?? ran.value, value);
  };
  returns("a default import", `import path from "node:path"; export default path.join("a", "b")`, "a/b");
  returns("named imports", `import { inspect, format } from "util"; export default [inspect([1]), format("%d", 5)]`, ["[ 1 ]", "5"]);
  returns("a namespace", `import * as events from "node:events"; export default [typeof events.default, typeof events.once]`, ["function", "function"]);
  returns("every module", `const names = ${JSON.stringify(MODULE_NAMES)};
    export default async () => { const empty = [];
      for (const name of names) { const a = await import(name), b = await import("node:" + name); if (a !== b || a.default === undefined || require(name) !== a.default) empty.push(name); }
      return empty; }`, []);
  returns("a module that is not here", `export default () => import("fs").catch((error) => [error.name, error.message])`,
    ["TypeError", "cannot import 'fs': there is no file system here; call a tool, or keep data in variables and return it"]);
  returns("no module at all", `export default () => import("node:nope").catch((error) => error.message.slice(0, 80))`,
    "cannot import 'node:nope': only the program's own files and these modules can be");
  returns("a changed module", `import { join } from "path"; require("path").join = () => "changed"; export default async () => [join("a"), (await import("path")).join("a")]`, ["a", "a"]);
  const failed = runModule(`import fs from "fs"; export default 1`);
  check("a static import says it, too", failed.failure?.includes("cannot import 'fs': there is no file system here"), true);
}

const MODULE_NAMES = ["util", "path", "path/posix", "url", "assert", "assert/strict", "crypto", "events", "buffer", "timers", "timers/promises",
  "querystring", "perf_hooks", "process"];

function testParts() {
  const returns = (name, body, value) => {
    const ran = runInImage(body);
    check(name, ran.failure ?? ran.value, value);
  };
  const removed = `const kept = { require, URLPattern: Object.getOwnPropertyDescriptor(globalThis, "URLPattern").get, Response: Object.getOwnPropertyDescriptor(globalThis, "Response").get };
    const { deleteProperty } = Reflect, scope = globalThis; for (const name of Object.getOwnPropertyNames(scope)) deleteProperty(scope, name);`;
  returns("parts need no global of the program", `${removed}
    for (const name of ${JSON.stringify(MODULE_NAMES)}) kept.require(name);
    const Pattern = kept.URLPattern(), Answer = kept.Response();
    return [new Pattern({ pathname: "/:a" }).test("http://x/b"), await new Answer("x").text(), kept.require("util").inspect({ a: 1 })]`, [true, "x", "{ a: 1 }"]);
  returns("a polluted program is an error of the program, and no more",
    `Array.prototype.map = () => { throw new RangeError("polluted") }; Object.keys = null;
    let result = "fine"; try { require("assert"); new URLPattern({}) } catch (error) { result = error instanceof Error ? "fine" : error } return result`, "fine");
  returns("a global that comes later may be replaced", `Blob = 5; globalThis.Headers = 6; delete globalThis.File; return [Blob, Headers, typeof File, typeof Request]`,
    [5, 6, "undefined", "function"]);
  returns("shared memory is nowhere in the prelude", `const seen = []; const has = Set.prototype.has;
    Set.prototype.has = function (value) { for (const one of [...this]) if (typeof one === "function") seen.push(one.name); return has.call(this, value) };
    require("util").inspect([class A {}, Object(1), Map]); require("util").format("%s", { a: 1 });
    return seen.filter((name) => ["SharedArrayBuffer", "Function", "eval"].includes(name))`, []);
  const stack = runInImage(`try { require("assert").strictEqual(1, 2) } catch (error) { return error.stack }`);
  check("no stack shows the prelude", /isobox/.test(stack.value), false);
  const exit = runInImage(`process.exit(1)`);
  check("process.exit says what to write", exit.failure?.includes("process.exit is not available: `return` ends the program"), true);
  const written = runInImage(`process.stdout.write("a\\n"); process.stdout.write("b"); process.stderr.write(Buffer.from("c"))`);
  check("what is written is logged", written.logs, [[1, "a"], [1, "b"], [4, "c"]]);
  const parted = runInImage(`for (let at = 0; at < 3; at++) process.stdout.write("."); process.stdout.write("\\n"); process.stdout.write("a"); console.log("b"); process.stdout.write("c"); process.stderr.write("d");
    process.stdout.write("e\\nf\\ng"); await new Promise((resolve) => setTimeout(resolve, 5)); process.stdout.write("h"); throw new Error("end")`);
  check("a line that is written in parts is one message", parted.logs, [[1, "..."], [1, "ab"], [1, "c"], [4, "d"], [1, "e\nf"], [1, "g"], [1, "h"]]);
  const long = runInImage(`for (let at = 0; at < 30; at++) process.stdout.write("x".repeat(100)); process.stdout.write("y".repeat(2000))`);
  check("a line that does not end is logged in pieces", long.logs.map(([, text]) => text.length), [1000, 1000, 1000, 2000]);
  const listening = runInImage(`return process.on("exit", () => {}).once("SIGINT", () => {}).off("SIGINT", () => {}) === process`);
  check("a process has no events, and may be listened to", listening.value, true);
  const late = runInImage(`setTimeout(() => { throw new Error("late") }, 1); await new Promise(() => {})`);
  check("a timer leaves nothing of its own on the stack", /native|isobox/.test(late.failure), false);
  const timers = runInImage(`const a = setTimeout(() => {}, 1e6); let n = 0; try { for (;;) { setTimeout(() => {}, 1e6); n++ } } catch (error) { return [n, error.message] }`);
  check("timers are bounded", timers.value, [9999, "more than 10000 timers are set at once"]);
}

// Where the image is meant to differ from Node 24.
const KNOWN = new Set([
  // Functions do not keep their text.
  'require("node:util").format("%s", () => 5)',
  // Node takes the last dot of `/..` for an extension.
  'require("path").parse("/..")',
]);

testURLs();
testPrograms();
testValues();
testFacts();
testSessions();
testLoading();
testTimersAtTheReturn();
testLeftTimers();
await testSorting(runInImage);
testDates(runInImage);
testIntl((body) => {
  const ran = runInImage(`try {
    const value = (() => { ${body} })();
    return typeof value === "function" ? "function" : value === undefined ? "undefined" : value;
  } catch (error) { return { thrown: error.name }; }`);
  if (ran.failure) throw new Error(ran.failure);
  return ran.value;
});
finish([]);
testModules();
testParts();
testFailureParts(runInImage);
await testGlobals(async (cases) => {
  const ran = runInImage(bodyOf(cases));
  check("the globals fail nowhere", ran.failure, undefined);
  return ran.value ?? [];
}, KNOWN);
finish(KNOWN);
