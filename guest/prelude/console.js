// console: every call becomes one message with a level.

const LEVELS = { debug: 0, log: 1, info: 2, warn: 3, error: 4 };
const counters = new Map();
const stopwatches = new Map();
let indentation = "";

function logValues(level, values) {
  logText(level, formatArguments(values));
}

function logText(level, text) {
  try {
    if (indentation !== "") text = indentation + replaceText(text, "\n", "\n" + indentation);
    hostLog(level, text);
  } catch {
    // A program never fails because it logs.
  }
}

const console = {
  debug(...values) { logValues(LEVELS.debug, values); },
  log(...values) { logValues(LEVELS.log, values); },
  info(...values) { logValues(LEVELS.info, values); },
  warn(...values) { logValues(LEVELS.warn, values); },
  error(...values) { logValues(LEVELS.error, values); },
  trace(...values) {
    const text = formatArguments(values);
    logText(LEVELS.debug, (text === "" ? "Trace" : "Trace: " + text) + errorFrames(new Error(), "Error"));
  },
  dir(value, options) {
    if (!isObject(options)) return logValues(LEVELS.log, [value]);
    let text;
    try {
      text = inspect(value, { ...options, customInspect: false });
    } catch {
      text = formatArguments([value]);
    }
    logText(LEVELS.log, text);
  },
  dirxml(...values) { logValues(LEVELS.log, values); },
  table(value, columns) {
    let text;
    try {
      text = part("table").tableText(value, columns);
    } catch {
      text = undefined;
    }
    if (text === undefined) logValues(LEVELS.log, [value]);
    else logText(LEVELS.log, text);
  },
  assert(condition, ...values) {
    if (condition) return;
    const text = formatArguments(values);
    logValues(LEVELS.error, [text === "" ? "Assertion failed" : "Assertion failed: " + text]);
  },
  group(...values) {
    if (values.length > 0) logValues(LEVELS.log, values);
    if (indentation.length < 40) indentation += "  ";
  },
  groupCollapsed(...values) { apply(console.group, undefined, values); },
  groupEnd() { indentation = stringSlice(indentation, 2); },
  count(label = "default") {
    const name = formatArguments([label]);
    const count = (mapGet(counters, name) ?? 0) + 1;
    mapSet(counters, name, count);
    logValues(LEVELS.log, [name + ": " + count]);
  },
  countReset(label = "default") {
    const name = formatArguments([label]);
    if (mapGet(counters, name) === undefined) logText(LEVELS.warn, "Count for '" + name + "' does not exist");
    mapSet(counters, name, undefined);
  },
  time(label = "default") {
    const name = formatArguments([label]);
    if (mapGet(stopwatches, name) === undefined) mapSet(stopwatches, name, clock());
    else logText(LEVELS.warn, "Label '" + name + "' already exists for console.time()");
  },
  timeLog(label = "default", ...values) { logElapsed("timeLog", formatArguments([label]), values); },
  timeEnd(label = "default") {
    const name = formatArguments([label]);
    logElapsed("timeEnd", name, []);
    mapSet(stopwatches, name, undefined);
  },
  // There is no screen, no profiler and no inspector.
  clear() {},
  profile() {},
  profileEnd() {},
  timeStamp() {},
};
defineProperty(console, Symbol.toStringTag, { value: "console", configurable: true });

function replaceText(text, from, to) {
  let result = "";
  let done = 0;
  for (let at = stringIndexOf(text, from); at >= 0; at = stringIndexOf(text, from, done)) {
    result += stringSlice(text, done, at) + to;
    done = at + from.length;
  }
  return result + stringSlice(text, done);
}

function logElapsed(method, name, values) {
  const start = mapGet(stopwatches, name);
  if (start === undefined) return logText(LEVELS.warn, "No such label '" + name + "' for console." + method + "()");
  const text = formatArguments(values);
  logText(LEVELS.log, name + ": " + durationText(clock() - start) + (text === "" ? "" : " " + text));
}

/** Milliseconds in the unit in which they are read best: `5ms`, `1.250s`, `2:03.000 (m:ss.mmm)`. */
function durationText(milliseconds) {
  if (milliseconds < 1000) return milliseconds + "ms";
  const seconds = Math.floor(milliseconds / 1000);
  const rest = "." + padded(milliseconds % 1000, 3);
  if (seconds < 60) return seconds + rest + "s";
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return minutes + ":" + padded(seconds % 60, 2) + rest + " (m:ss.mmm)";
  return Math.floor(minutes / 60) + ":" + padded(minutes % 60, 2) + ":" + padded(seconds % 60, 2) + " (h:mm:ss)";
}

function padded(number, digits) {
  let text = "" + number;
  while (text.length < digits) text = "0" + text;
  return text;
}
