// console.table.

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
  for (const [row, key] of rows.entries()) {
    table.push([key, ...[...columns.values()].map((cells) => cells.get(row) ?? "")]);
  }
  const widths = table[0].map((_, at) => table.reduce((most, line) => Math.max(most, textWidth(line[at])), 0) + 2);
  const rule = (left, middle, right) => left + widths.map((width) => "─".repeat(width)).join(middle) + right;
  const drawnCell = (cell, at) => ` ${cell}${" ".repeat(widths[at] - textWidth(cell) - 1)}`;
  const drawn = table.map((line) => `│${line.map(drawnCell).join("│")}│`);
  return [rule("┌", "┬", "┐"), drawn[0], rule("├", "┼", "┤"), ...drawn.slice(1), rule("└", "┴", "┘")].join("\n");
}

const WIDE = new RegExp("[\\u1100-\\u115f\\u2e80-\\u303e\\u3041-\\u33ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\ua000-\\ua4cf\\uac00-\\ud7a3"
  + "\\uf900-\\ufaff\\ufe30-\\ufe6f\\uff00-\\uff60\\uffe0-\\uffe6\\u{1f300}-\\u{1f64f}\\u{1f680}-\\u{1f6ff}\\u{1f900}-\\u{1f9ff}"
  + "\\u{20000}-\\u{3fffd}]", "u");
const NARROW = /[\p{Mn}\p{Me}\p{Cc}\u200b-\u200f\ufe00-\ufe0f]/u;

/** How many columns of a terminal a text takes. */
function textWidth(text) {
  let width = 0;
  for (const character of text.normalize("NFC")) width += NARROW.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}
