// The runtime that all invocations of the process share, and how many may be active.

import { HIGHEST } from '../highest';
import { Isobox } from '../isobox';
import { CodeModeConcurrencyError } from './errors';
import { sealing } from './signing';
import type { CodeModeWorkerUrl } from './types';

let current: { secret: string; lifetimeMs: number; isobox: Isobox } | undefined;
let maxWorkers: number | undefined;
let active = 0;

/** Returns the runtime for the current signing key. */
export function sharedRuntime(): Isobox {
  const { secret, lifetimeMs } = sealing();
  if (current?.secret !== secret || current.lifetimeMs !== lifetimeMs) {
    const continuations = { secret, lifetimeMs, limit: '1GiB' };
    current = { secret, lifetimeMs, isobox: new Isobox({ limits: HIGHEST, checks: 'off', continuations }) };
  }
  return current.isobox;
}

/** Limits active invocations: further ones fail. Without a limit they wait for memory, as Isobox's do. */
export function setMaxWorkers(workers: number | undefined): void {
  if (workers !== undefined && (!Number.isSafeInteger(workers) || workers <= 0)) {
    throw new TypeError('maxWorkers must be a positive integer.');
  }
  maxWorkers = workers;
}

/** Runs an invocation while it counts as active. */
export async function counted<T>(run: () => Promise<T>): Promise<T> {
  if (maxWorkers !== undefined && active >= maxWorkers) throw new CodeModeConcurrencyError(maxWorkers);
  active += 1;
  try {
    return await run();
  } finally {
    active -= 1;
  }
}

let workerUrl: URL | undefined;

/** Accepted for compatibility: there are no workers. */
export function setCodeModeWorkerUrl(url: CodeModeWorkerUrl | undefined): void {
  workerUrl = url === undefined ? undefined : new URL(url);
}

/** Returns what `setCodeModeWorkerUrl` was given. */
export function getCodeModeWorkerUrl(): URL {
  return workerUrl ?? getDefaultCodeModeWorkerUrl();
}

/** Returns the address of nothing: there are no workers. */
export function getDefaultCodeModeWorkerUrl(): URL {
  return new URL('data:text/javascript,');
}
