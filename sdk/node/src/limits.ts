// Limits of executions, in the units of JavaScript.

import { type Shape, checkOptions } from './check';

/** A number of milliseconds, or a text like `"5s"`. */
export type Duration = number | string;

/** A number of bytes, or a text like `"64MiB"`. */
export type Size = number | string;

/** The limits of an execution. `docs/limits.md` explains each. */
export interface Limits {
  timeout?: Duration;
  cpu?: Duration;
  memory?: Size;
  stack?: Size;
  source?: Size;
  result?: Size;
  input?: Size;
  output?: Size;
  logs?: Size;
  calls?: number;
  inFlight?: number;
  inFlightExcess?: 'wait' | 'fail';
  durableValue?: Size;
  journal?: Size;
  snapshot?: Size;
  settle?: Duration;
  unsettled?: 'cancel' | 'fail';
  facts?: Size;
  lifetime?: Duration;
}

const SHAPE: Shape = {
  timeout: 'duration',
  cpu: 'duration',
  memory: 'size',
  stack: 'size',
  source: 'size',
  result: 'size',
  input: 'size',
  output: 'size',
  logs: 'size',
  calls: 'count',
  inFlight: 'count',
  inFlightExcess: 'excess',
  durableValue: 'size',
  journal: 'size',
  snapshot: 'size',
  settle: 'duration',
  unsettled: 'unsettled',
  facts: 'size',
  lifetime: 'duration',
};

/** The limits that were read and cannot change. */
const READ = new WeakMap<Limits, Record<string, unknown>>();

/** Checks limits, and writes durations as texts. Frozen limits are checked once. */
export function readLimits(owner: string, limits: Limits): Record<string, unknown> {
  const known = READ.get(limits);
  if (known !== undefined) return known;
  checkOptions(owner, limits, SHAPE);
  const read: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(limits)) {
    if (value === undefined) continue;
    read[key] = SHAPE[key] === 'duration' && typeof value === 'number' ? `${Math.ceil(value)}ms` : value;
  }
  if (Object.isFrozen(limits)) READ.set(limits, read);
  return read;
}
