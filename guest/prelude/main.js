// What a program finds, and what the shim gets back.

for (const name of [
  "eval", "Function", "Atomics", "SharedArrayBuffer", "WebAssembly", "navigator", "gc", "print", "scriptArgs", "std", "os",
  "bjson",
]) {
  deleteProperty(globalThis, name);
}

// What the engine itself brings along; `inspect` tells it from what a program makes.
const INTRINSIC_CONSTRUCTORS = new Set();
const INTRINSIC_PROTOTYPES = new Set([TypedArray.prototype]);
for (const key of Object.getOwnPropertyNames(globalThis)) {
  const value = globalThis[key];
  if (typeof value !== "function") continue;
  setAdd(INTRINSIC_CONSTRUCTORS, value);
  if (isObject(value.prototype)) setAdd(INTRINSIC_PROTOTYPES, value.prototype);
}

const globals = {
  console, setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate, structuredClone, TextEncoder,
  TextDecoder, URL, URLSearchParams, Event, CustomEvent, EventTarget, AbortController, AbortSignal, Crypto, SubtleCrypto, crypto,
  Performance, performance, process, require, global: globalThis, self: globalThis, Intl,
};
for (const name of Object.keys(globals)) defineValue(globalThis, name, globals[name], false);
for (const constructor of [Crypto, SubtleCrypto, Performance, Timeout]) CLONERS.set(constructor.prototype, refused);

// Globals whose code is not even compiled until a program looks at them.
const LATER = {
  Buffer: "bytes", Blob: "web", File: "web", FormData: "web", Headers: "web", Request: "web", Response: "web",
  URLPattern: "pattern",
};
for (const name of Object.keys(LATER)) {
  defineProperty(globalThis, name, {
    configurable: true,
    enumerable: false,
    get() {
      const value = part(LATER[name])[name];
      defineValue(globalObject, name, value, false);
      return value;
    },
    set(value) { defineValue(globalObject, name, value, false); },
  });
}

/** Gives a program `fetch` and `secret`, if the host has tools for requests: `web` is their namespace. */
function offerFetch(web) {
  if (hasOwn(globalObject, "fetch")) return; // an earlier program of the session had it, and may have replaced it
  defineValue(globalObject, "fetch", function fetch(input, init = undefined) { return part("web").fetchOver(web, input, init); }, false);
  defineValue(globalObject, "secret", function secret(name) { return part("web").secretReference(name); }, false);
}

/** Leaves nothing of the program that has ended but its globals. */
function restart() {
  ticks = [];
  indentation = "";
  era++;
}

/** Runs a program that is a module. Syntax only: the program may have changed every prototype by then. */
async function runModule(evaluated, namespace) {
  await evaluated;
  const main = namespace.default;
  return typeof main === "function" ? await main() : main;
}

/** `codemode.step`: does a piece of work, and gives its result as it was recorded. Syntax only, as above. */
async function runStep(name, work) {
  if (typeof name !== "string" || typeof work !== "function") {
    throw new TypeError("codemode.step takes a name and a function: codemode.step(\"total\", async () => …)");
  }
  const result = await work();
  if (result !== undefined) return await record(name, result);
  await record(name);
}

/** Makes the promise of a call of `….pages` an async iterable as well: `for await (const page of tools.api.list.pages())`. */
function iteratePages(promise, tool, input) {
  const most = isObject(input) ? ownValue(input, "maxPages") : undefined;
  defineValue(promise, Symbol.asyncIterator, () => readPages(promise, tool, most), false);
}

/** Gives one page after the other, and makes the next call when the pages of the last one are used up. Syntax only, as above. */
async function* readPages(first, tool, most) {
  let left = typeof most === "number" ? most : Infinity;
  let answer = await first;
  for (;;) {
    const pages = answer?.pages;
    if (!isArray(pages)) throw new TypeError("the result of this call has no pages to iterate over; await it instead");
    for (let index = 0; index < pages.length; index++) {
      yield pages[index];
      if (--left <= 0) return;
    }
    if (answer.next === null || answer.next === undefined) return;
    answer = await tool(left === Infinity ? answer.next : { ...answer.next, maxPages: left });
  }
}
