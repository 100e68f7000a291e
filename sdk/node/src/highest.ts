// The limits of runtimes that adapters share. A run may only lower limits, so that these are as high as Isobox takes them.

import type { Limits } from './limits';

export const HIGHEST: Limits = {
  timeout: '1000h',
  cpu: '1000h',
  memory: '4096MiB',
  stack: '1MiB',
  source: '1GiB',
  result: '1GiB',
  input: '1GiB',
  output: '1GiB',
  calls: 1_000_000,
  inFlight: 1_000_000,
  durableValue: '1GiB',
  journal: '4GiB',
  snapshot: '4GiB',
  facts: '1GiB',
};

const MIB = 1024 * 1024;

/** Returns the memory limit for a program that may use this much. The engine itself takes 2 MiB, and needs 4 in all. */
export function memoryFor(bytes: number): number {
  return Math.min(Math.max(bytes + 2 * MIB, 4 * MIB), 4096 * MIB);
}

/** Returns the stack limit that is closest to this one. */
export function stackFor(bytes: number): number {
  return Math.min(Math.max(bytes, 32 * 1024), MIB);
}
