// Runs programs under Node: a JSON line `{"kind","files"}` in, `{"result"}` or `{"thrown"}` out. Every program has a
// thread of its own, so that what it does to its globals ends with it. Needs --experimental-vm-modules.

import { createRequire } from "node:module";
import vm from "node:vm";
import { Worker, isMainThread, parentPort } from "node:worker_threads";

if (isMainThread) await answerLines();
else parentPort.once("message", runProgram);

async function answerLines() {
  const start = () => new Worker(new URL(import.meta.url), { stdout: true, stderr: true });
  let next = start();
  for await (const line of lines()) {
    const worker = next;
    next = start(); // while this one works
    const answer = new Promise((resolve) => {
      worker.once("message", resolve);
      worker.once("error", (error) => resolve({ broken: String(error) }));
      worker.once("exit", () => resolve({ deadlock: true }));
    });
    worker.postMessage(JSON.parse(line));
    process.stdout.write(`${JSON.stringify(await answer)}\n`);
    worker.terminate();
  }
  next.terminate();
}

/** The lines of standard input. (`readline` would also split at U+2028, which JSON does not escape.) */
async function* lines() {
  let rest = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop();
    yield* parts;
  }
}

async function runProgram({ kind, files }) {
  // What is needed afterwards is taken now: the program may change anything.
  const { parse, stringify } = JSON;
  const post = parentPort.postMessage.bind(parentPort);
  const test = Function.prototype.call.bind(RegExp.prototype.test);
  const isWellFormed = Function.prototype.call.bind(String.prototype.isWellFormed);
  const halfAPair = /(?<!\\)(\\\\)*\\ud[89a-f]/;
  const thrown = (error) => {
    let name;
    try {
      name = error?.name;
    } catch {}
    post({ thrown: typeof name === "string" && name !== "" ? name : "Error" });
  };
  process.on("uncaughtException", thrown);
  process.on("unhandledRejection", () => {});
  for (const method of Object.keys(console)) console[method] = () => {};
  setTimeout(() => {}, 2000); // some of Node's own timers do not keep it alive
  const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const script = (code) => vm.runInThisContext(`"use strict";${code}`, { importModuleDynamically });
  const load = kind === "module" ? await modules(files) : null;
  globalThis.require = createRequire(import.meta.url);
  delete globalThis.eval;
  try {
    let result = load === null ? script(files[0].code)() : await load();
    result = await result;
    const text = stringify(result) ?? "null";
    const isHalved = !isWellFormed(text) || test(halfAPair, text);
    post(isHalved ? { halfAPair: true } : { result: parse(text) });
  } catch (error) {
    thrown(error);
  }
}

/** Gives a function that runs the first file, and gives its default export or what that returns. */
async function modules(files) {
  const byPath = new Map();
  const file = (path) => files.find((one) => one.path === path);
  const resolve = (specifier, path) => {
    const found = file(path).imports.find((one) => one.specifier === specifier);
    if (found === undefined) throw new TypeError(`${specifier} cannot be imported`);
    return module(found.path);
  };
  const module = (path) => {
    if (!byPath.has(path)) {
      const importModuleDynamically = async (specifier) => {
        const loaded = resolve(specifier, path);
        if (loaded.status === "unlinked") await loaded.link((name, from) => resolve(name, from.identifier));
        await loaded.evaluate();
        return loaded;
      };
      byPath.set(path, new vm.SourceTextModule(file(path).code, { identifier: path, importModuleDynamically }));
    }
    return byPath.get(path);
  };
  const entry = module(files[0].path);
  await entry.link((specifier, from) => resolve(specifier, from.identifier));
  return async () => {
    await entry.evaluate();
    const main = entry.namespace.default;
    return typeof main === "function" ? main() : main;
  };
}
