// What the host is told about an error that ended a program, beside its name, message and stack.

import { check } from "./check.mjs";
import { POLLUTE } from "./load.mjs";

export function testFailureParts(runInImage) {
  /** The parts of the error that a program ends with, with `true` for each stack that the program's frames are in. */
  const parts = (body) => {
    const report = runInImage(body).report ?? [];
    const isWhole = report[4] === "" || report[4]?.length <= 16_384;
    check(`the parts fit into their report: ${body}`, [report.length, isWhole], [5, true]);
    const shown = (key, value) => key === "stack" ? value.includes("main.js:1:") : value;
    return report[4] ? JSON.parse(report[4], shown) : undefined;
  };
  const has = (body, expected) => check(body, parts(body), expected);
  const error = (name, message, rest = {}) => ({ name, message, stack: true, ...rest });
  has(`throw new Error("a")`, undefined);
  has(`throw "a"`, undefined);
  has(`throw new Error("a", { cause: new TypeError("b", { cause: "c" }) })`,
    { cause: error("TypeError", "b", { cause: { message: "c" } }) });
  has(`throw new AggregateError([new RangeError("a"), 1], "b")`, { errors: [error("RangeError", "a"), { message: "1" }] });
  has(`class HttpError extends Error { constructor() { super("no"); this.name = "HttpError"; this.status = 404;
    this.response = { body: { why: ["gone", null, undefined] }, at: new Date(0), none: undefined, not: NaN, call() {} }; } } throw new HttpError()`,
  { properties: { status: 404, response: { body: { why: ["gone", null, null] }, at: "1970-01-01T00:00:00.000Z" } } });
  has(`throw Object.assign(new Error("a"), { cause: new Error("b"), inner: new RangeError("c") })`,
    { properties: { inner: { name: "RangeError", message: "c" } }, cause: error("Error", "b") });
  has(`throw { message: "a", status: 1 }`, { properties: { message: "a", status: 1 } });
  has(`throw new DOMException("a", "AbortError")`, undefined);
  has(`throw new Error("a", { cause: new DOMException("b", "AbortError") })`, { cause: error("AbortError", "b") });
  has(`throw new Error("a", { cause: { status: 1 } })`, { cause: { message: "an object", properties: { status: 1 } } });
  has(`try { await tools.a() } catch {} throw new Error("a", { cause: null })`, { cause: { message: "null" } });

  const hostile = "for (;;) throw 1";
  has(`throw Object.defineProperty(new Error("a"), "b", { enumerable: true, get() { ${hostile} } })`, undefined);
  has(`throw new Error("a", { cause: new Proxy({}, new Proxy({}, { get() { ${hostile} } })) })`, { cause: { message: "a Proxy" } });
  has(`throw Object.assign(new Error("a"), { b: new Proxy([], { get() { ${hostile} }, ownKeys() { ${hostile} } }), c: 1 })`,
    { properties: { c: 1 } });
  has(`throw new Proxy(new Error("a"), {})`, undefined);
  has(`Object.prototype.toJSON = Array.prototype.toJSON = String.prototype.toJSON = () => { ${hostile} };
    throw Object.assign(new Error("a"), { b: ["c", { d: 1 }] })`, { properties: { b: ["c", { d: 1 }] } });
  has(`class Late extends Error { get name() { ${hostile} } } throw new Error("a", { cause: new Late("b") })`,
    { cause: { message: "b", stack: true } });
  has(`const error = new Error("a"); error.cause = error; error.self = error; error.list = [error, 1]; throw error`,
    { properties: { list: [null, 1] } });
  has(`const error = new AggregateError([], "a"); error.errors.push(error); throw error`, undefined);
  has(`const deep = {}; deep.a = deep; throw Object.assign(new Error("a"), { deep })`, { properties: { deep: {} } });
  has(`throw Object.assign(new Error("a"), { text: "x".repeat(1e7), b: 1 })`,
    { properties: { text: "[a text of 10000000 characters]", b: 1 } });
  check("the chain of causes is bounded", JSON.stringify(parts(`let error; for (let at = 0; at < 9; at++) error = new Error("e" + at, { cause: error }); throw error`)).match(/e\d/g),
    ["e7", "e6", "e5", "e4"]);
  check("errors are bounded", parts(`throw new AggregateError(Array(1e6).fill("a"))`).errors.length, 10);
  for (const body of [
    `const error = new Error("a"); for (let at = 0; at < 1e5; at++) error["p" + at] = "\0".repeat(900); throw error`,
    `throw Object.assign(new Error("a"), { list: Array(1e6).fill(1) })`,
    `const wide = () => Array(50).fill(0).map(() => ({ a: 1 })); throw Object.assign(new Error("a"), { list: wide().map(() => wide().map(wide)) })`,
    `let error = new Error("\u0001".repeat(1e4)); throw new AggregateError(Array(100).fill(error), "b", { cause: error })`,
  ]) check(`a part of much is told: ${body}`, typeof parts(body), "object");
  has(`\n${POLLUTE}\nthrow { status: 1 }`, { properties: { status: 1 } });
}
