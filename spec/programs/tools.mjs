// Serves the tools of tools.json. `spec/src/programs/tools.rs` does the same for Isobox: both follow the kinds below.

import { readFileSync } from "node:fs";

const { data, tools } = JSON.parse(readFileSync(new URL("tools.json", import.meta.url), "utf8"));

/** The tools, each with a `call(input)` that answers or throws. Failures of flaky tools are counted anew for every set. */
export function serve() {
  return tools.map((tool) => ({ ...tool, call: kinds[tool.kind](tool) }));
}

const kinds = {
  list: (tool) => async (input) => page(tool, data[tool.data].filter((record) => matches(record, tool.filters, input)), input),
  get: (tool) => async (input) => find(tool, input),
  search: (tool) => async (input) => {
    const query = String(input.query ?? "").toLowerCase();
    return data[tool.data].filter((record) => tool.fields.some((field) => record[field].toLowerCase().includes(query)));
  },
  reply: (tool) => async (input) => ({ ...tool.answer, ...input }),
  flaky: (tool) => {
    const calls = new Map();
    return async (input) => {
      const key = JSON.stringify(input);
      const earlier = calls.get(key) ?? 0;
      calls.set(key, earlier + 1);
      if (earlier < tool.failures) throw new Error(tool.error);
      return { ...tool.answer, ...input };
    };
  },
  delayed: (tool) => async (input) => {
    const { delayMs, value, error } = find(tool, input);
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    if (error !== undefined) throw new Error(error);
    return value;
  },
};

function matches(record, filters, input) {
  return filters.every((field) => input[field] === undefined || record[field] === input[field]);
}

function find(tool, input) {
  const wanted = input[tool.key];
  const found = data[tool.data].find((record) => record[tool.key] === wanted);
  if (found === undefined) throw new Error(`${tool.missing}: ${typeof wanted === "string" ? wanted : JSON.stringify(wanted ?? null)}`);
  return found;
}

function page(tool, records, input) {
  const count = input.limit ?? input.per_page ?? tool.limit;
  switch (tool.paging) {
    case "none":
      return records;
    case "cursor": {
      const start = Number(input.cursor ?? 0);
      const end = start + count;
      return { items: records.slice(start, end), nextCursor: end < records.length ? String(end) : null, total: records.length };
    }
    case "page": {
      const start = ((input.page ?? 1) - 1) * count;
      return records.slice(start, start + count);
    }
    case "offset": {
      const start = input.offset ?? 0;
      const end = start + count;
      return { data: records.slice(start, end), total: records.length, hasMore: end < records.length };
    }
  }
}
