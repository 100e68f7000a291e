// Expressions that give the same in Node as with the prelude's globals and modules. Each is evaluated in an async function
// that has `require`, and what it returns is compared as JSON.

import { createRequire } from "node:module";
import { check } from "./check.mjs";
import { BUFFERS } from "./globals_buffer.mjs";
import { INSPECTED, UTILITIES } from "./globals_util.mjs";
import { MODULES } from "./globals_modules.mjs";
import { PATTERNS, WEB } from "./globals_web.mjs";

const CASES = [...BUFFERS, ...INSPECTED, ...UTILITIES, ...MODULES, ...WEB, ...PATTERNS];

/** Compares all cases; `evaluate` takes expressions and resolves to their outcomes. */
export async function testGlobals(evaluate, known) {
  const expected = await inNode(CASES);
  const actual = await evaluate(CASES);
  check("the programs of globals complete", actual.length, CASES.length);
  for (const [at, code] of CASES.entries()) {
    if (!known?.has(code)) {
      check(code, actual[at], expected[at]);
    } else {
      known.delete(code);
      check(`${code} is listed as different`, JSON.stringify(actual[at]) === JSON.stringify(expected[at]), false);
    }
  }
}

/** The body of a function that evaluates expressions one after the other; an error counts by its name, code and message. */
export function bodyOf(cases) {
  const each = cases.map((code) => `async () => (${code})`).join(",\n");
  return `const outcomes = [];
    for (const evaluate of [\n${each}\n]) {
      try { outcomes.push({ value: (await evaluate()) ?? null }); }
      catch (error) { outcomes.push({ thrown: [error?.name, error?.code, error?.message] }); }
    }
    return JSON.parse(JSON.stringify(outcomes));`;
}

async function inNode(cases) {
  const AsyncFunction = (async () => {}).constructor;
  const silent = { emitWarning: process.emitWarning };
  process.emitWarning = () => {};
  try {
    return await new AsyncFunction("require", bodyOf(cases))(createRequire(import.meta.url));
  } finally {
    process.emitWarning = silent.emitWarning;
  }
}
