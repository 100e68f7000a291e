// Runs one program in this thread and posts its logs and its end.

import { Console } from "node:console";
import { createRequire } from "node:module";
import { Writable } from "node:stream";
import { types } from "node:util";
import { parentPort, workerData } from "node:worker_threads";
import { serve } from "./tools.mjs";

const LEVELS = { debug: "debug", info: "info", warn: "warn", error: "error", assert: "error", trace: "error", countReset: "warn" };

captureConsole();
const AsyncFunction = (async () => {}).constructor;
const program = new AsyncFunction("tools", "require", "module", "exports", "__exported", workerData);
const module = { exports: {} };
const require = createRequire(import.meta.url);
try {
  const result = await program(toolObject(), require, module, module.exports, exported);
  parentPort.postMessage({ result: plain(result) ?? null });
} catch (error) {
  const { name, message } = error instanceof Error ? error : { name: "Error", message: String(error) };
  parentPort.postMessage({ thrown: { name, message } });
}

/** What a module gives: its default export or its only function, called where it is a function. */
function exported(exports) {
  const all = typeof exports === "function" ? [exports] : Object.values(exports);
  const functions = all.filter((one) => typeof one === "function" && !isClass(one));
  const main = typeof exports === "function" ? exports : (exports.default ?? exports.main ?? exports.run ?? functions[0]);
  return typeof main === "function" && !isClass(main) ? main() : main;
}

function isClass(value) {
  return /^class\b/.test(Function.prototype.toString.call(value));
}

/**
 * The JSON of a value, as JSON.stringify makes it, apart from what that loses: a Map is the list of its entries, a Set the list of
 * its members, an Error its name, message and own properties, a typed array its numbers, a BigInt its digits.
 */
function plain(value, key = "") {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (typeof value.toJSON === "function") return plain(value.toJSON(key), key);
  if (value instanceof Number || value instanceof String || value instanceof Boolean) return plain(value.valueOf(), key);
  if (types.isMap(value) || types.isSet(value)) return list([...value]);
  if (types.isNativeError(value)) return plain({ name: value.name, message: value.message, ...ownOf(value) });
  if (types.isTypedArray(value)) return list([...value]);
  if (Array.isArray(value)) return list(value);
  const entries = Object.entries(value).map(([name, member]) => [name, plain(member, name)]);
  return Object.fromEntries(entries.filter(([, member]) => member !== undefined));
}

function ownOf(error) {
  const { name, message, stack, ...own } = error;
  if (Object.hasOwn(error, "cause")) own.cause = error.cause;
  if (Object.hasOwn(error, "errors")) own.errors = error.errors;
  return own;
}

function list(values) {
  return Array.from(values, (member, index) => plain(member, String(index)) ?? null);
}

function toolObject() {
  const byPath = new Map(serve().map((tool) => [tool.path, tool]));
  const at = (path) =>
    new Proxy(() => {}, {
      get: (_, name) => (typeof name === "symbol" || name === "then" ? undefined : at(path ? `${path}.${name}` : name)),
      apply: (_, _this, [input = {}]) => call(byPath.get(path), path, input),
    });
  return at("");
}

async function call(tool, path, input) {
  try {
    if (tool === undefined) throw new Error(`unknown tool: ${path}`);
    const answer = await tool.call(JSON.parse(JSON.stringify(input)));
    return JSON.parse(JSON.stringify(answer));
  } catch ({ message }) {
    const error = new Error(message);
    Object.defineProperty(error, "name", { value: "ToolError", configurable: true, writable: true });
    Object.defineProperty(error, "code", { value: "TOOL", configurable: true, writable: true });
    throw error;
  }
}

/**
 * Posts `[level, message]` of every line that is logged, with the time that `console.time` measures taken out, and `[level]` where
 * an object was logged: Isobox shows objects and tables in a shorter form.
 */
function captureConsole() {
  let level = "log";
  let isText = true;
  const write = (chunk, _encoding, done) => {
    const message = String(chunk).replace(/\n$/, "").replace(/: \d+(\.\d+)?(ms|s)\b/, ": TIME");
    parentPort.postMessage({ log: isText ? [level, message] : [level] });
    done();
  };
  const sink = new Writable({ write, decodeStrings: false });
  const real = new Console({ stdout: sink, stderr: sink, colorMode: false });
  for (const method of Object.keys(real).filter((name) => typeof real[name] === "function")) {
    console[method] = (...values) => {
      level = LEVELS[method] ?? "log";
      isText = values.every((value) => typeof value !== "object" || value === null);
      real[method](...values);
    };
  }
}
