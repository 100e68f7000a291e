// Random identifiers. Random bytes are taken from the operating system for many at once, because each request takes long.

import { randomFillSync } from 'node:crypto';

const POOL = Buffer.alloc(4096);
let next = POOL.length;

/** Returns this many random bytes, at most 4096, as hexadecimal digits. */
export function randomHex(bytes: number): string {
  if (next + bytes > POOL.length) {
    randomFillSync(POOL);
    next = 0;
  }
  const text = POOL.toString('hex', next, next + bytes);
  next += bytes;
  return text;
}
