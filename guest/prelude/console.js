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
    logText(LEVELS.debug, (text === "" ? "Trace" : "Trace: " + text) + errorFrames(new Error(), ""));
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
      text = tableText(value, columns);
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

const ROW_LIMIT = 1000;

/** A table drawn with lines, or undefined where the value is none. */
function tableText(value, only) {
  if (typeof value !== "object" || value === null) return undefined;
  const columns = new Map(); // from the title of a column to its cells by row
  const put = (title, row, cell) => {
    if (!columns.has(title)) columns.set(title, new Map());
    columns.get(title).set(row, cell);
  };
  const rows = [];
  if (passes(mapSize, value) || passes(setSize, value)) {
    for (const entry of value) {
      if (rows.length >= ROW_LIMIT) break;
      const row = rows.push(`${rows.length}`) - 1;
      if (passes(mapSize, value)) put("Key", row, cellText(entry[0]));
      put("Values", row, cellText(passes(mapSize, value) ? entry[1] : entry));
    }
    return drawTable("(iteration index)", rows, columns);
  }
  const singles = new Map();
  for (const key of Object.keys(value).slice(0, ROW_LIMIT)) {
    const row = rows.push(key) - 1;
    const item = value[key];
    if (!isObject(item)) {
      singles.set(row, cellText(item));
      continue;
    }
    for (const column of isArray(only) ? only : Object.keys(item)) {
      put(`${column}`, row, hasOwn(item, column) ? cellText(item[column]) : "");
    }
  }
  const sorted = new Map();
  for (const title of Object.keys(Object.fromEntries(columns))) sorted.set(title, columns.get(title));
  if (singles.size > 0) sorted.set("Values", singles);
  return drawTable("(index)", rows, sorted);
}

function cellText(value) {
  const isLarge = typeof value === "object" && value !== null && !isArray(value) && Object.keys(value).length > 2;
  return inspect(value, { maxArrayLength: 3, breakLength: Infinity, depth: isLarge ? -1 : 0 });
}

function drawTable(corner, rows, columns) {
  const table = [[corner, ...columns.keys()]];
  for (const [row, key] of rows.entries()) table.push([key, ...[...columns.values()].map((cells) => cells.get(row) ?? "")]);
  const widths = table[0].map((_, column) => table.reduce((most, line) => Math.max(most, textWidth(line[column])), 0) + 2);
  const rule = (left, middle, right) => left + widths.map((width) => "─".repeat(width)).join(middle) + right;
  const drawn = table.map((line) => `│${line.map((cell, at) => ` ${cell}${" ".repeat(widths[at] - textWidth(cell) - 1)}`).join("│")}│`);
  return [rule("┌", "┬", "┐"), drawn[0], rule("├", "┼", "┤"), ...drawn.slice(1), rule("└", "┴", "┘")].join("\n");
}

const WIDE = /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
const NARROW = /[\p{Mn}\p{Me}\p{Cc}\u200b-\u200f\ufe00-\ufe0f]/u;

/** How many columns of a terminal a text takes. */
function textWidth(text) {
  let width = 0;
  for (const character of text.normalize("NFC")) width += NARROW.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}
