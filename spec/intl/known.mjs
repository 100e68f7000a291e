// The differences from Node that are intended or accepted, each with its reason.

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

/** How often each class differs, by reason, for the calls that ./test makes. It is strict. */
export const COUNTS = JSON.parse(readFileSync(new URL("counts.json", import.meta.url)));

/** Returns why two results may differ, or undefined. */
export function explain({ kind, method, options, values }, ours, theirs) {
  if (ours?.thrown && theirs?.thrown === ours.thrown) return "the texts of errors";
  if (kind === "collator" && options.usage === "search") return "usage: \"search\" is refused: there are no orders for searching";
  if (/^the calendar \S+ is not supported/.test(ours?.message)) return "a calendar that is not supported is refused";
  if (method === "resolvedOptions") {
    const same = (name) => isDeepStrictEqual({ ...ours, [name]: 0 }, { ...theirs, [name]: 0 });
    if (options.signDisplay && same("currencySign")) return "V8 forgets currencySign: \"accounting\" with some signDisplay";
    if (options.trailingZeroDisplay && same("roundingPriority")) return "V8 forgets roundingPriority with trailingZeroDisplay";
    if (kind === "date" && FIELDS.every((name) => ours[name] === theirs[name] || !(name in options) || ours[name] === undefined || name === "hour")) {
      return "V8 takes letters of quoted text in a pattern for fields";
    }
  }
  if (kind === "number" && /percent-per|per-percent/.test(options.unit ?? "")) return "V8 drops parts of quotients with percent";
  if (kind === "number" && options.numberingSystem) return "patterns of digits that the locale does not use";
  if (kind === "plural" && Math.abs(values[0]) >= 1e21) return "ICU counts numbers beyond 64 bits differently";
  if (kind === "names" && /^[a-z]{2,3}$/.test(values[0]) && ["region", "currency"].includes(options.type)) {
    return "V8 does not find codes in lower case";
  }
  if (kind === "names" && options.type === "currency" && options.style !== "long") return "V8 gives the names of some currencies for their symbols";
  if (kind === "segmenter" && /[\u3040-\u30ff\u4e00-\u9fff]/.test(values[0])) return "the dictionary divides Japanese in other places";
  if (kind === "date" && method === "formatRange") return "ranges of dates are not collapsed in the same way";
}

const FIELDS = ["weekday", "era", "year", "month", "day", "dayPeriod", "hour", "minute", "second", "fractionalSecondDigits", "timeZoneName"];
