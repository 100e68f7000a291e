// Intl inside of the prelude and of the image, beside Node's. spec/intl compares the host's part with many more calls.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { compare } from "./check.mjs";

const ANSWERS = process.env.ISOBOX_INTL ?? fileURLToPath(new URL("../../target/tests/examples/answers", import.meta.url));

/** Answers as the sandbox does, by the example of isobox-intl. */
export function answerIntl(request) {
  const run = spawnSync(ANSWERS, { input: `${JSON.stringify(request)}\n`, encoding: "utf8" });
  if (run.status !== 0) {
    throw new Error(`${ANSWERS} does not run: build it with cargo build --profile tests -p isobox-intl --example answers (${run.stderr ?? run.error})`);
  }
  return Buffer.from(JSON.parse(run.stdout));
}

/** Expressions that give the same in Node. */
const EXPRESSIONS = [
  `(1234567.891).toLocaleString()`, `(1234567).toLocaleString()`, `(-1234).toLocaleString()`, `(-0).toLocaleString()`, `(1e21).toLocaleString()`,
  `(999).toLocaleString()`, `(0.1 + 0.2).toLocaleString()`, `NaN.toLocaleString()`, `(12345678901234567890n).toLocaleString()`, `(-5n).toLocaleString("de")`,
  `(1234.5).toLocaleString("en-US", { style: "currency", currency: "USD" })`, `(1234.5).toLocaleString("de-DE", { style: "currency", currency: "EUR" })`,
  `(0.256).toLocaleString("en-US", { style: "percent", maximumFractionDigits: 1 })`, `(1234567).toLocaleString("en", { notation: "compact" })`,
  `(5).toLocaleString("en", { minimumIntegerDigits: 2, useGrouping: false })`, `(1).toLocaleString("en_US")`, `(1).toLocaleString("en", { style: "currency" })`,
  `(1).toLocaleString("en", { maximumFractionDigits: 101 })`, `(1).toLocaleString("en", null)`, `(1).toLocaleString(null)`,
  `new Date(0).toLocaleString()`, `new Date(0).toLocaleDateString()`, `new Date(0).toLocaleTimeString()`, `new Date(NaN).toLocaleString()`,
  `new Date(1e12).toLocaleString("en-US", { timeZone: "America/New_York" })`, `new Date(1e12).toLocaleDateString("en-GB", { month: "long", day: "numeric", year: "numeric" })`,
  `new Date(1e12).toLocaleDateString("de-DE", { weekday: "long", year: "numeric", month: "long", day: "numeric" })`,
  `new Date(1e12).toLocaleTimeString("en-US", { hour: "2-digit", minute: "2-digit", hour12: false })`, `new Date(0).toLocaleTimeString("en", { dateStyle: "short" })`,
  `new Date(1e12).toLocaleString("sv-SE", { timeZone: "Europe/Berlin" })`, `new Date(0).toLocaleString("en", { timeZone: "Nowhere/City" })`,
  `"a".localeCompare("B")`, `"a10".localeCompare("a2", undefined, { numeric: true })`, `"ä".localeCompare("z", "sv")`, `"a".localeCompare("A", "en", { sensitivity: "base" })`,
  `["b", "a", "C", "ä", "Z"].sort((x, y) => x.localeCompare(y)).join("")`, `["a10", "a2"].sort(new Intl.Collator("en", { numeric: true }).compare)`,
  `"I".toLocaleLowerCase("tr")`, `"i".toLocaleUpperCase("tr-TR")`, `"ß".toLocaleUpperCase()`, `"x".toLocaleUpperCase("!")`, `[1234.5, new Date(0), null, "x"].toLocaleString("de", { timeZone: "UTC" })`,
  `[1234, 5].toLocaleString()`, `new Float64Array([1234.5]).toLocaleString("de")`,
  `new Intl.NumberFormat("en-US", { style: "unit", unit: "kilometer-per-hour" }).format(50)`, `Intl.NumberFormat("de").format("12345678901234567890.123")`,
  `new Intl.NumberFormat("en", { style: "currency", currency: "EUR" }).formatToParts(-12.5)`, `new Intl.NumberFormat("en").formatRange(1, 2)`,
  `[1, 2.5].map(new Intl.NumberFormat("fr").format)`, `new Intl.NumberFormat("en").resolvedOptions()`, `new Intl.NumberFormat("en").format`,
  `const f = new Intl.NumberFormat("en"); f.format === f.format`, `Intl.NumberFormat.prototype.format`, `Object.prototype.toString.call(new Intl.NumberFormat())`,
  `new Intl.DateTimeFormat("en-US", { dateStyle: "full", timeStyle: "long", timeZone: "Asia/Tokyo" }).format(1e12)`, `new Intl.DateTimeFormat("en").formatToParts(new Date(0))`,
  `new Intl.DateTimeFormat().resolvedOptions().timeZone`, `new Intl.DateTimeFormat("en").format(NaN)`, `new Intl.DateTimeFormat("en").format("x")`,
  `new Intl.DateTimeFormat("en", { dateStyle: "short", hour: "numeric" })`, `new Intl.PluralRules("en", { type: "ordinal" }).select(22)`, `Intl.PluralRules("en")`,
  `new Intl.PluralRules("ar").resolvedOptions().pluralCategories`, `new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-1, "day")`,
  `new Intl.RelativeTimeFormat("es").format(3, "months")`, `new Intl.RelativeTimeFormat("en").format(1, "eons")`, `new Intl.RelativeTimeFormat("en").formatToParts(-2, "hour")`,
  `new Intl.ListFormat("en", { type: "disjunction" }).format(["a", "b", "c"])`, `new Intl.ListFormat("en").format([1])`, `new Intl.ListFormat("en").format(new Set(["x", "y"]))`,
  `new Intl.DisplayNames("de", { type: "region" }).of("US")`, `new Intl.DisplayNames("en", { type: "language", fallback: "none" }).of("xx")`, `new Intl.DisplayNames("en")`,
  `[...new Intl.Segmenter("en", { granularity: "word" }).segment("Hi there!")]`, `[...new Intl.Segmenter().segment("👨‍👩‍👧é")].map((s) => s.segment)`,
  `new Intl.Segmenter("en", { granularity: "word" }).segment("Hi there").containing(4)`, `new Intl.Segmenter().segment("abc").containing(9)`,
  `new Intl.Locale("en-Latn-US", { hourCycle: "h23" }).toString()`, `new Intl.Locale("zh").maximize().baseName`, `new Intl.Locale("fr-CA").region`, `new Intl.Locale("en-US-u-kn").numeric`,
  `new Intl.Locale()`, `new Intl.NumberFormat(new Intl.Locale("de")).format(1.5)`, `Intl.getCanonicalLocales(["EN-us", "zh-hant", "en-US"])`, `Intl.getCanonicalLocales("x_y")`,
  `Intl.NumberFormat.supportedLocalesOf(["de", "xx", "en-US"])`, `Intl.supportedValuesOf("unit")`, `Intl.supportedValuesOf("nothing")`, `String(Intl)`, `typeof Intl.Collator`,
  `Object.keys(Intl)`, `[Number.prototype.toLocaleString.length, String.prototype.localeCompare.length, Date.prototype.toLocaleDateString.length, Intl.NumberFormat.length, Intl.NumberFormat.supportedLocalesOf.length]`,
  `"\\ud800x".toLocaleUpperCase("en").length`, `"ὈΔΥΣΣΕΎΣ".toLocaleLowerCase("el")`, `"ΐά".toLocaleUpperCase("el")`, `Array.prototype.toLocaleString.call({ length: 2, 0: 1.5, 1: "x" }, "de")`, `class F extends Intl.NumberFormat { twice(n) { return this.format(n * 2); } } new F("de").twice(1.25)`,
];

/** `run` evaluates the text of a program in the prelude or the image. */
export function testIntl(run, known) {
  for (const text of EXPRESSIONS) {
    const at = text.lastIndexOf("; ") + 1 || (text.startsWith("class") ? text.lastIndexOf("new F") : 0);
    const body = `${text.slice(0, at)} return ${text.slice(at)}`;
    const plain = (value) => (typeof value === "function" ? "function" : value === undefined ? "undefined" : JSON.parse(JSON.stringify(value)));
    compare(`intl ${text}`, () => plain(run(body)), () => plain(new Function(body)()), known);
  }
}
