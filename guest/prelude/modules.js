// The modules that programs may import or require, and what to use instead of those that are not here.

const MODULES = {
  __proto__: null,
  util: () => part("util").nodeUtil,
  path: () => part("path").path,
  "path/posix": () => part("path").path,
  url: () => part("url").nodeURL,
  assert: () => part("assert").assert,
  "assert/strict": () => part("assert").strictAssert,
  crypto: () => part("crypto").nodeCrypto,
  events: () => part("events").EventEmitter,
  buffer: () => part("buffer").buffer,
  timers: () => part("timers").timers,
  "timers/promises": () => part("timers").timersPromises,
  querystring: () => part("querystring").querystring,
  perf_hooks: () => performanceHooks,
  process: () => process,
};
const MODULE_NAMES = "util, path, url, assert, crypto, events, buffer, timers, timers/promises, querystring, perf_hooks, "
  + "process";

/** Why there is no module of this name, and what to use instead. */
function absence(specifier) {
  if (specifier[0] === "." || specifier[0] === "/") return "only the program's own files can be imported";
  const name = stringSlice(specifier, 0, 5) === "node:" ? stringSlice(specifier, 5) : specifier;
  return part("absent").insteadOf(name) ?? "only the program's own files and these modules can be imported: " + MODULE_NAMES;
}

function findModule(specifier) {
  return MODULES[stringSlice(specifier, 0, 5) === "node:" ? stringSlice(specifier, 5) : specifier]?.();
}

/** Called by the shim for an import of anything but a file of the program. */
function importModule(specifier) {
  const module = findModule(specifier);
  if (module === undefined) throw new TypeError("cannot import '" + specifier + "': " + absence(specifier));
  return module;
}

function require(specifier) {
  if (typeof specifier !== "string") throw wrongType("id", "of type string", specifier);
  const module = findModule(specifier);
  if (module !== undefined) return module;
  const first = specifier[0];
  const isFile = first === "." || first === "/";
  const reason = isFile ? "files of the program are imported: `import … from \"" + specifier + "\"`" : absence(specifier);
  const error = new Error("cannot require '" + specifier + "': " + reason);
  defineValue(error, "code", "MODULE_NOT_FOUND", true);
  throw error;
}
