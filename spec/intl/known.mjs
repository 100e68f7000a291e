// The differences from Node that are intended or accepted, each with its reason.

import { isDeepStrictEqual } from "node:util";

/** Returns why two results may differ, or undefined. */
export function explain({ kind, method, options, values }, ours, theirs) {
  if (ours?.thrown && theirs?.thrown === ours.thrown) return "the texts of errors";
  if (kind === "collator" && options.usage === "search") return "usage: \"search\" is refused: there are no orders for searching";
  if (/^the calendar \S+ is not supported/.test(ours?.message)) return "a calendar that is not supported is refused";
  if (method === "resolvedOptions") {
    const same = (name) => isDeepStrictEqual({ ...ours, [name]: 0 }, { ...theirs, [name]: 0 });
    if (options.signDisplay && same("currencySign")) return "V8 forgets currencySign: \"accounting\" with some signDisplay";
    if (options.trailingZeroDisplay && same("roundingPriority")) return "V8 forgets roundingPriority with trailingZeroDisplay";
  }
  if (kind === "number" && /percent-per|per-percent/.test(options.unit ?? "")) return "V8 drops parts of quotients with percent";
  if (kind === "names" && /^[a-z]{2,3}$/.test(values[0]) && ["region", "currency"].includes(options.type)) {
    return "V8 does not find codes in lower case";
  }
  if (kind === "segmenter" && /[\u3040-\u30ff\u4e00-\u9fff]/.test(values[0])) return "the dictionary divides Japanese in other places";
}
