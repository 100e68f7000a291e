// performance and process: time is that of the recorded clock; there is no environment, and nothing to exit.

const PERFORMANCE_ENTRIES_LIMIT = 1000;
// The version of Node whose behaviour the globals and modules have.
const NODE_VERSION = "24.0.0";

class Performance {
  #entries = [];

  constructor(key) {
    if (key !== CONSTRUCT) throw new TypeError("Illegal constructor");
  }

  get timeOrigin() { return clock(true); }
  now() { return clock() - clock(true); }
  toJSON() { return { timeOrigin: this.timeOrigin }; }

  mark(name, options = undefined) {
    return this.#add(`${name}`, "mark", options?.startTime ?? this.now(), 0, options?.detail ?? null);
  }

  measure(name, startOrOptions = undefined, endMark = undefined) {
    const options = isObject(startOrOptions) ? startOrOptions : { start: startOrOptions, end: endMark };
    const start = options.start === undefined ? 0 : this.#timeOf(options.start);
    const end = options.end !== undefined ? this.#timeOf(options.end)
      : options.duration !== undefined ? start + options.duration : this.now();
    return this.#add(`${name}`, "measure", start, end - start, options.detail ?? null);
  }

  getEntries() { return [...this.#entries]; }
  getEntriesByName(name, type) {
    return this.#entries.filter((entry) => entry.name === `${name}` && (type === undefined || entry.entryType === type));
  }
  getEntriesByType(type) { return this.#entries.filter((entry) => entry.entryType === type); }
  clearMarks(name) { this.#clear("mark", name); }
  clearMeasures(name) { this.#clear("measure", name); }

  #add(name, entryType, startTime, duration, detail) {
    const entry = { name, entryType, startTime, duration, detail };
    if (this.#entries.length < PERFORMANCE_ENTRIES_LIMIT) this.#entries.push(entry);
    return entry;
  }

  #timeOf(mark) {
    if (typeof mark === "number") return mark;
    const found = this.getEntriesByName(mark, "mark").at(-1);
    if (!found) throw new DOMException(`The "${mark}" performance mark has not been set`, "SyntaxError");
    return found.startTime;
  }

  #clear(type, name) {
    const stays = (entry) => entry.entryType !== type || (name !== undefined && entry.name !== `${name}`);
    this.#entries = this.#entries.filter(stays);
  }
}
tagPrototype(Performance, "Performance");
const performance = new Performance(CONSTRUCT);
const performanceHooks = { performance };

/** Seconds and nanoseconds since the start, or since an earlier reading. */
function hrtime(earlier = undefined) {
  const elapsed = performance.now() - (earlier === undefined ? 0 : earlier[0] * 1000 + earlier[1] / 1e6);
  return [Math.floor(elapsed / 1000), Math.round(elapsed % 1000 * 1e6)];
}
hrtime.bigint = () => BigInt(Math.round(performance.now())) * 1000000n;

/** A stream that can only be written to: what is written is logged, line by line. */
const outlet = (level) => ({
  isTTY: false,
  write(text) {
    try {
      hostWrite(level, typeof text === "string" ? stringToWellFormed(text) : decodeLossy(copyBytes(text)));
    } catch {
      // A program never fails because it logs.
    }
    return true;
  },
});

/** A function that says why it is not there, and what to do instead. */
const unavailable = (name, advice) => () => { throw new Error(name + " is not available: " + advice); };

const process = {
  // Values of the environment are texts, as in Node.
  env: new Proxy({}, { set: (variables, name, value) => Reflect.set(variables, name, `${value}`) }),
  argv: [],
  execArgv: [],
  platform: "linux",
  arch: "wasm32",
  pid: 1,
  title: "node",
  version: "v" + NODE_VERSION,
  versions: { node: NODE_VERSION },
  release: { name: "node" },
  exitCode: undefined,
  stdout: outlet(LEVELS.log),
  stderr: outlet(LEVELS.error),
  cwd: () => "/",
  nextTick,
  hrtime,
  uptime: () => performance.now() / 1000,
  memoryUsage: unavailable("process.memoryUsage", "a program does not see how much memory it takes; the host limits it"),
  cpuUsage: unavailable("process.cpuUsage", "a program does not see how much processor time it takes; performance.now() tells the time"),
  // Signals and other events of a process never come.
  on: () => process,
  once: () => process,
  off: () => process,
  addListener: () => process,
  removeListener: () => process,
  emitWarning(warning) { logValues(LEVELS.warn, [warning]); },
  exit: unavailable("process.exit", "`return` ends the program with a result, `throw` with an error"),
};
defineProperty(process, Symbol.toStringTag, { value: "process", configurable: true });
