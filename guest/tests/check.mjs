// Counts what passes and reports what does not.

import { isDeepStrictEqual, inspect } from "node:util";

const NODE_MAJOR = 24;
let passed = 0;
const failures = [];

/** Ends the run unless this is the Node that the lists of intended differences are about. */
export function requirePinnedNode() {
  if (process.version.startsWith(`v${NODE_MAJOR}.`)) return;
  console.error(`These tests compare with Node ${NODE_MAJOR}, and this is ${process.version}: `
    + "use the version that spec/requirements.txt pins, as ./test does.");
  process.exit(2);
}

export function check(name, actual, expected) {
  if (isDeepStrictEqual(actual, expected)) passed++;
  else failures.push(`${name}\n    got      ${shown(actual)}\n    expected ${shown(expected)}`);
}

/** Compares what two functions return or throw. `known` lists the names of intended differences, and is strict. */
export function compare(name, ours, theirs, known) {
  const actual = outcome(ours);
  const expected = outcome(theirs);
  if (!known?.has(name)) return check(name, actual, expected);
  known.delete(name);
  if (isDeepStrictEqual(actual, expected)) failures.push(`${name}\n    is listed as different and no longer is`);
  else passed++;
}

const shown = (value) => inspect(value, { depth: 8, breakLength: Infinity });

export function outcome(run) {
  try {
    return run();
  } catch (error) {
    return { thrown: error?.name ?? String(error) };
  }
}

export function finish(known) {
  for (const name of known) failures.push(`${name}\n    is listed as different and was not tried`);
  for (const failure of failures.slice(0, 60)) console.log(`FAILED ${failure}`);
  console.log(`${passed} passed, ${failures.length} failed`);
  process.exitCode = failures.length > 0 ? 1 : 0;
}

/** A random number generator with a seed (xorshift): the same inputs on every run. */
export function generator(seed) {
  let state = seed;
  const next = (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
  return { next, pick: (list) => list[next(list.length)] };
}
