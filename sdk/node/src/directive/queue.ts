// The number of programs that run at once. Further ones wait in the order in which they came.

import { shown } from '../schema';

interface Waiter {
  start: () => void;
}

const cores = (globalThis as { navigator?: { hardwareConcurrency?: number } }).navigator?.hardwareConcurrency;
let most = Math.max(1, cores ?? 4);
let running = 0;
const waiting = new Set<Waiter>();

/**
 * Sets how many programs run at once in this process, and returns the earlier number. `Infinity` removes the limit. Programs that
 * already run are not stopped by a lower number.
 */
export function setMaxConcurrentWorkers(workers: number): number {
  if (typeof workers !== 'number' || !(workers >= 1)) {
    throw new TypeError(`setMaxConcurrentWorkers: \`workers\` is ${shown(workers)}; expected a number of at least 1, or Infinity`);
  }
  const earlier = most;
  most = Math.floor(workers);
  startNext();
  return earlier;
}

/** Does work once there is a place for it. Rejects with the reason of the signal if that aborts first. */
export async function inTurn<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  await place(signal);
  try {
    return await work();
  } finally {
    running -= 1;
    startNext();
  }
}

function place(signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return Promise.reject(reasonOf(signal));
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      waiting.delete(waiter);
      reject(reasonOf(signal));
    };
    const waiter = {
      start: (): void => {
        signal?.removeEventListener('abort', abort);
        resolve();
      },
    };
    signal?.addEventListener('abort', abort, { once: true });
    waiting.add(waiter);
    startNext();
  });
}

function startNext(): void {
  for (const waiter of waiting) {
    if (running >= most) return;
    waiting.delete(waiter);
    running += 1;
    waiter.start();
  }
}

function reasonOf(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new Error('sandbox: aborted by caller signal while waiting for its turn');
}
