// Checks options. An error names the option, its value and what was expected.

import { shown } from './schema';

/** Describes what an option has to be. Returns whether a value is that. */
type Test = readonly [expected: string, is: (value: any) => boolean];

const isObject = (value: any): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The states of stored executions. */
export const STATES = [
  'running',
  'orphaned',
  'paused',
  'sleeping',
  'decided',
  'completed',
  'failed',
  'rejected',
  'rolled_back',
  'unreadable',
] as const;

/** Tests that a value is one of these words. */
const oneOf = <const W extends readonly string[]>(...words: W): Test => {
  const named = words.map((word) => `'${word}'`);
  return [`${named.slice(0, -1).join(', ')} or ${named.at(-1)}`, (value) => words.includes(value)];
};

export const TESTS = {
  text: ['a string', (value) => typeof value === 'string'],
  someText: ['a string that is not empty', (value) => typeof value === 'string' && value !== ''],
  truth: ['a boolean', (value) => typeof value === 'boolean'],
  count: ['a whole number of at least 0', (value) => Number.isSafeInteger(value) && value >= 0],
  positive: ['a whole number of at least 1', (value) => Number.isSafeInteger(value) && value >= 1],
  milliseconds: ['a number of milliseconds of at least 0', (value) => Number.isFinite(value) && value >= 0],
  function: ['a function', (value) => typeof value === 'function'],
  object: ['an object', isObject],
  list: ['an array', Array.isArray],
  texts: ['an array of strings', (value) => Array.isArray(value) && value.every((item) => typeof item === 'string')],
  signal: ['an AbortSignal', (value) => isObject(value) && typeof value.aborted === 'boolean' && typeof value.addEventListener === 'function'],
  principal: [
    "a name, or { name, roles }",
    (value) =>
      typeof value === 'string' ||
      (isObject(value) &&
        typeof value.name === 'string' &&
        (value.roles === undefined || (Array.isArray(value.roles) && value.roles.every((role: unknown) => typeof role === 'string')))),
  ],
  duration: ['a number of milliseconds, or a text like "5s"', (value) => (Number.isFinite(value) && value >= 0) || typeof value === 'string'],
  size: ['a number of bytes, or a text like "64MiB"', (value) => (Number.isSafeInteger(value) && value >= 0) || typeof value === 'string'],
  executionId: ["an ID like 'exec_' and 44 hexadecimal digits", (value) => typeof value === 'string' && /^exec_[0-9a-f]{44}$/.test(value)],
  checks: oneOf('off', 'warnings', 'errors'),
  contents: oneOf('nothing', 'sizes', 'progress', 'values'),
  globals: ["a boolean, 'wait' or 'refuse'", (value) => typeof value === 'boolean' || value === 'wait' || value === 'refuse'],
  ownDecisions: oneOf('allow', 'deny'),
  outputChecks: oneOf('off', 'warn', 'enforce'),
  schemaDefaults: oneOf('ignore', 'fill'),
  whenFull: oneOf('forget', 'refuse'),
  excess: oneOf('wait', 'fail'),
  unsettled: oneOf('cancel', 'fail'),
  remember: oneOf('nothing', 'execution', 'session'),
  states: [
    `an array of ${STATES.join(', ')}`,
    (value) => Array.isArray(value) && value.every((item) => (STATES as readonly unknown[]).includes(item)),
  ],
  any: ['anything', () => true],
} as const satisfies Record<string, Test>;

/** The options of a function: the test of each. */
export type Shape = Record<string, keyof typeof TESTS>;

/** Checks that options are an object with these keys, each undefined or as its test says. */
export function checkOptions(owner: string, options: unknown, shape: Shape): void {
  if (options === undefined) return;
  if (!isObject(options)) throw new TypeError(`${owner}: the options are ${shown(options)}; expected an object`);
  for (const key of Object.keys(options as object)) {
    const value = (options as Record<string, unknown>)[key];
    const test = shape[key];
    if (test === undefined) throw unknownOption(owner, key, value, shape);
    if (value !== undefined && !TESTS[test][1](value)) throw wrongValue(`${owner}: \`${key}\``, value, test);
  }
}

/** Checks one value. */
export function check(owner: string, value: unknown, test: keyof typeof TESTS): void {
  if (!TESTS[test][1](value)) throw wrongValue(owner, value, test);
}

function wrongValue(owner: string, value: unknown, test: keyof typeof TESTS): TypeError {
  return new TypeError(`${owner} is ${shown(value)}; expected ${TESTS[test][0]}`);
}

function unknownOption(owner: string, key: string, value: unknown, shape: Shape): TypeError {
  const all = Object.keys(shape);
  const near = all.find((one) => one.toLowerCase() === key.toLowerCase() || distance(one, key) <= 2);
  const hint = near === undefined ? `the options are ${all.join(', ')}` : `did you mean \`${near}\`?`;
  return new TypeError(`${owner}: there is no option \`${key}\` (its value is ${shown(value)}); ${hint}`);
}

/** Returns how many letters have to change, be added or be removed. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const change = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
