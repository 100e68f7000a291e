// console: every call becomes one message with a level.

const LEVELS = { debug: 0, log: 1, info: 2, warn: 3, error: 4 };
const counters = new Map();
let indentation = "";

function logValues(level, values) {
  try {
    let text = formatArguments(values);
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
  trace(...values) { logValues(LEVELS.debug, values); },
  dir(value) { logValues(LEVELS.log, [value]); },
  dirxml(...values) { logValues(LEVELS.log, values); },
  table(value, columns) {
    let text;
    try {
      text = tableText(value, columns);
    } catch {
      text = undefined;
    }
    logValues(LEVELS.log, [text ?? value]);
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
  countReset(label = "default") { mapSet(counters, formatArguments([label]), 0); },
  time() {},
  timeLog() {},
  timeEnd() {},
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

/** Rows and columns aligned with spaces, or undefined where the value is no table. */
function tableText(value, only) {
  if (typeof value !== "object" || value === null || getPrototypeOf(value) === Map.prototype) return undefined;
  const columns = isArray(only) ? only.map(String) : [];
  const rows = [];
  for (const key of Object.keys(value).slice(0, ELEMENT_LIMIT)) {
    const row = ownValue(value, key);
    const cells = { __proto__: null };
    if (typeof row !== "object" || row === null) {
      cells[""] = formatArguments([row]);
    } else {
      for (const column of Object.keys(row)) {
        if (!isArray(only) && !columns.includes(column) && columns.length < ELEMENT_LIMIT) columns.push(column);
        cells[column] = formatArguments([ownValue(row, column)]);
      }
    }
    rows.push([key, cells]);
  }
  if (rows.length === 0) return undefined;
  const hasValues = rows.some(([, cells]) => "" in cells);
  const lines = [["", ...columns, ...(hasValues ? ["value"] : [])]];
  for (const [key, cells] of rows) {
    lines.push([key, ...columns.map((column) => cells[column] ?? ""), ...(hasValues ? [cells[""] ?? ""] : [])]);
  }
  const widths = lines[0].map((_, at) => Math.min(40, Math.max(...lines.map((line) => line[at].length))));
  return lines.map((line) => line.map((cell, at) => cell.padEnd(widths[at])).join(" | ").trimEnd()).join("\n");
}
