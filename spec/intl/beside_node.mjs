// Compares isobox-intl with the Intl of Node over generated calls:
//     cargo build --release -p isobox-intl --example answers
//     node spec/intl/beside_node.mjs target/release/examples/answers [COUNT] [KIND…]
// Prints the share of agreement of each class. It fails if counts.json has other numbers of differences.

import { spawnSync } from "node:child_process";
import { inspect, isDeepStrictEqual } from "node:util";
import { requirePinnedNode } from "../../guest/tests/check.mjs";
import { makeCases } from "./cases.mjs";
import { COUNTS, explain } from "./known.mjs";

requirePinnedNode();
const COUNT = "3000";
const [program, count = COUNT, ...chosen] = process.argv.slice(2);
const CLASSES = {
  number: Intl.NumberFormat, date: Intl.DateTimeFormat, collator: Intl.Collator, plural: Intl.PluralRules, relative: Intl.RelativeTimeFormat,
  list: Intl.ListFormat, names: Intl.DisplayNames, segmenter: Intl.Segmenter,
};
const METHODS = {
  format: "format", formatToParts: "parts", formatRange: "range", resolvedOptions: "resolved", compare: "compare", select: "select",
  selectRange: "selectRange", of: "of", segment: "boundaries",
};
// Each class in a process of its own: a program that makes thousands of objects of every class ends some versions of Node.
if (chosen.length === 0) {
  for (const kind of Object.keys(CLASSES)) {
    const { status } = spawnSync(process.execPath, [process.argv[1], program, count, kind], { stdio: "inherit" });
    if (status !== 0) process.exitCode = 1;
  }
  process.exit();
}
const kinds = chosen;
const cases = makeCases(Number(count) * kinds.length, 20240229, kinds);

const run = spawnSync(program, { input: cases.map((call) => JSON.stringify(request(call))).join("\n"), maxBuffer: 1 << 30, encoding: "utf8" });
if (run.status !== 0) throw new Error(`${program} failed: ${run.stderr}`);
const answers = run.stdout.trimEnd().split("\n").map((line) => JSON.parse(line));

const totals = {};
const unexplained = [];
cases.forEach((call, at) => {
  const [ours, theirs] = [decode(answers[at]), theirsOf(call)];
  const total = (totals[call.kind] ??= { calls: 0, same: 0, known: {} });
  total.calls++;
  if (isDeepStrictEqual(ours, theirs)) return void total.same++;
  const reason = explain(call, ours, theirs);
  if (reason) total.known[reason] = (total.known[reason] ?? 0) + 1;
  else unexplained.push({ call, ours, theirs });
});
for (const { call, ours, theirs } of unexplained.slice(0, Number(process.env.SHOW ?? 5))) {
  console.log(`${call.kind} ${call.locale} ${call.method}(${inspect(call.values)}) ${inspect(call.options, { breakLength: Infinity })}`);
  console.log(`    ours   ${inspect(ours, { breakLength: Infinity, depth: 5 })}\n    theirs ${inspect(theirs, { breakLength: Infinity, depth: 5 })}`);
}
for (const [kind, { calls, same, known }] of Object.entries(totals)) {
  const explained = Object.values(known).reduce((sum, value) => sum + value, 0);
  console.log(`${kind.padEnd(10)} ${calls} calls, ${(100 * same / calls).toFixed(2)}% the same, ${explained} known differences, ${calls - same - explained} others`);
  for (const [reason, times] of Object.entries(known)) console.log(`           ${times} ${reason}`);
}
// The counts are of the calls that ./test makes; other calls only print.
if (count === COUNT) {
  for (const [kind, { calls, same, known }] of Object.entries(totals)) {
    const explained = Object.values(known).reduce((sum, value) => sum + value, 0);
    const found = { ...known, ...(calls - same - explained ? { "no reason is known": calls - same - explained } : {}) };
    if (isDeepStrictEqual(found, COUNTS[kind] ?? {})) continue;
    console.log(`FAILED ${kind}: counts.json has other differences: ${JSON.stringify({ [kind]: found })}`);
    process.exitCode = 1;
  }
}

function request({ kind, locale, method, options, values }) {
  const sent = {};
  for (const [name, value] of Object.entries(options)) sent[name] = typeof value === "boolean" ? value : String(value);
  if (kind === "date") Object.assign(sent, { required: "any", defaults: "date" });
  const value = kind === "list" || kind === "collator" ? JSON.stringify(values.length > 1 ? values : values[0]) : values.map(text).join("\n");
  return `${kind}.${METHODS[method]}\n${JSON.stringify({ locales: [locale], options: sent })}\n${value}`;
}

function text(value) {
  return Object.is(value, -0) ? "-0" : String(value);
}

function decode(answer) {
  const rest = answer.slice(1);
  switch (answer[0]) {
    case "s": return rest;
    case "j": return JSON.parse(rest) ?? undefined;
    case "r": return { thrown: "RangeError", message: rest };
    default: return { thrown: "TypeError", message: rest };
  }
}

function theirsOf({ kind, locale, method, options, values }) {
  try {
    const object = new CLASSES[kind](locale, options);
    if (method === "resolvedOptions") return { ...object.resolvedOptions() };
    if (method === "segment") {
      return [...object.segment(...values)].map(({ index, isWordLike }) => (isWordLike === undefined ? index : [index, isWordLike ? 1 : 0]));
    }
    return object[method](...values);
  } catch (error) {
    return { thrown: error.name, message: error.message };
  }
}
