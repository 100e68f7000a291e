// Runs the prelude where it belongs, inside of the built image, and compares it with Node:
//     guest/build.py && node guest/tests/image.mjs

import { readFileSync } from "node:fs";
import { check, finish, outcome, requirePinnedNode } from "./check.mjs";
import { answerIntl, testIntl } from "./intl.mjs";
import { POLLUTE } from "./load.mjs";
import { BASES, QUERY_TEXTS, TEXTS, randomURLs } from "./url_inputs.mjs";

requirePinnedNode();

const MODULE = new WebAssembly.Module(readFileSync(new URL("../isobox-guest.wasm", import.meta.url)));

/** Runs the body of an async function; returns its outcome and what it logged. */
export function runInImage(body) {
  const logs = [];
  const result = {};
  let answer = Buffer.alloc(0);
  const text = (at, size) => new TextDecoder().decode(new Uint8Array(exports.memory.buffer, at, size));
  const imports = {
    mark() {},
    refusal: () => 0,
    call: () => -1,
    timer: () => -1,
    clear() {},
    log: (level, at, size) => logs.push([level, text(at, size)]),
    intl: (at, size) => { answer = answerIntl(text(at, size)); return answer.length; },
    answer: (at, size) => new Uint8Array(exports.memory.buffer, at, size).set(answer.subarray(0, size)),
    unawaited() {},
    done: (at, size) => { result.value = JSON.parse(text(at, size)); },
    fail: (origin, at, size) => { result.failure = `${origin} ${size ? text(at, size) : ""}`; },
  };
  const { exports } = new WebAssembly.Instance(MODULE, { isobox: imports });
  const message = program("main.js", `(async () => {${body}})`);
  const at = exports.isobox_reserve(message.length);
  new Uint8Array(exports.memory.buffer, at, message.length).set(message);
  exports.isobox_start(message.length, 0, 1n, 0, 512 * 1024, 64 * 1024 * 1024);
  return { ...result, logs };
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
    "AbortController AbortSignal Array ArrayBuffer AsyncDisposableStack BigInt Boolean DOMException DataView Date DisposableStack Event EventTarget",
    "FinalizationRegistry Infinity Intl Iterator",
    "JSON Map Math NaN Number Object Promise Proxy Reflect RegExp Set String Symbol TextDecoder TextEncoder URL URLSearchParams WeakMap WeakRef WeakSet",
    "atob btoa clearTimeout codemode console decodeURI decodeURIComponent encodeURI encodeURIComponent escape globalThis isFinite isNaN parseFloat parseInt",
    "queueMicrotask setTimeout structuredClone tools undefined unescape",
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
    [[4, "TypeError: cannot read property 'x' of null\n    at f (main.js:1:41)\n    at <anonymous> (main.js:2:1)"]]);
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
  check("an object that logs itself ends", loud.logs.map(([, text]) => text.split("\n")[0]), ["…", "a: m", "a: m"]);
  const thrown = runInImage(`throw { a: 1 }`);
  check("a thrown object", thrown.failure?.includes('{"a":1}'), true);
  const overflow = runInImage(`let depth = 0; (function f() { depth++; console.log({ depth }); f(); })()`);
  check("logging until the stack ends is a stack overflow", overflow.failure?.startsWith("2 "), true);
}

testURLs();
testPrograms();
testIntl((body) => {
  const ran = runInImage(`try {
    const value = (() => { ${body} })();
    return typeof value === "function" ? "function" : value === undefined ? "undefined" : value;
  } catch (error) { return { thrown: error.name }; }`);
  if (ran.failure) throw new Error(ran.failure);
  return ran.value;
});
finish([]);
