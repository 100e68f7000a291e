// What a program finds, and what the shim gets back.

for (const name of [
  "eval", "Function", "Atomics", "SharedArrayBuffer", "WebAssembly", "performance", "navigator", "gc", "print",
  "scriptArgs", "std", "os", "bjson",
]) {
  deleteProperty(globalThis, name);
}

const globals = {
  console, setTimeout, clearTimeout, structuredClone, TextEncoder, TextDecoder, URL, URLSearchParams, Event, EventTarget,
  AbortController, AbortSignal, Intl,
};
for (const name of Object.keys(globals)) defineValue(globalThis, name, globals[name], false);

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
