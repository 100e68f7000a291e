// The key that proves that this host made a continuation.

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

import { CodeModeProtocolError } from './errors';
import type { CodeModeContinuation, CodeModeContinuationAuth } from './types';

const MAX_AGE_MS = 60 * 60 * 1000;
/** The difference between the clocks of machines that is tolerated. */
const SKEW_MS = 60_000;

let signing = signingWith(randomBytes(32), MAX_AGE_MS);

function signingWith(key: Uint8Array, maxAgeMs: number): { key: Uint8Array; maxAgeMs: number; secret: string } {
  return { key, maxAgeMs, secret: createHash('sha256').update('isobox/ai').update(key).digest('hex') };
}

/** Sets the secret for continuations, so that they survive the process. Without one, a random secret of this process is used. */
export function setCodeModeContinuationSigningKey(key?: string | Uint8Array, options: { maxAgeMs?: number } = {}): void {
  const bytes = key === undefined ? randomBytes(32) : Buffer.from(key as string);
  if (bytes.byteLength === 0) throw new TypeError('Continuation signing key must not be empty.');
  const { maxAgeMs = MAX_AGE_MS } = options;
  if (!Number.isSafeInteger(maxAgeMs) || maxAgeMs <= 0) throw new TypeError('Continuation maxAgeMs must be a positive integer.');
  signing = signingWith(bytes, maxAgeMs);
}

/** Returns the secret from which Isobox derives its key, and how long continuations are valid. */
export function sealing(): { secret: string; lifetimeMs: number } {
  return { secret: signing.secret, lifetimeMs: signing.maxAgeMs };
}

export function sign(unsigned: Omit<CodeModeContinuation, 'auth'>): CodeModeContinuation {
  const issuedAtMs = Date.now();
  const auth = { alg: 'HMAC-SHA256', nonce: randomBytes(16).toString('hex'), issuedAtMs, expiresAtMs: issuedAtMs + signing.maxAgeMs } as const;
  return { ...unsigned, auth: { ...auth, signature: signatureOf(unsigned, auth) } };
}

/** Throws unless this host made the continuation, and it is still valid. */
export function verify(continuation: CodeModeContinuation): void {
  const { auth } = continuation ?? {};
  if (typeof auth !== 'object' || auth === null || typeof auth.signature !== 'string') {
    throw new CodeModeProtocolError('Code mode continuation is missing valid signed auth metadata.');
  }
  const expected = Buffer.from(signatureOf(continuation, auth));
  const given = Buffer.from(auth.signature);
  if (given.byteLength !== expected.byteLength || !timingSafeEqual(given, expected)) {
    throw new CodeModeProtocolError('Code mode continuation signature is invalid.');
  }
  const now = Date.now();
  if (auth.expiresAtMs < now) throw new CodeModeProtocolError('Code mode continuation has expired.', { expiresAtMs: auth.expiresAtMs, now });
  if (auth.issuedAtMs > now + SKEW_MS) {
    throw new CodeModeProtocolError('Code mode continuation was issued in the future.', { issuedAtMs: auth.issuedAtMs, now });
  }
}

function signatureOf(
  { version, outerToolCallId, executionId, revision, seq, approval, sealed }: Omit<CodeModeContinuation, 'auth'>,
  { alg, nonce, issuedAtMs, expiresAtMs }: Omit<CodeModeContinuationAuth, 'signature'>,
): string {
  const signed = JSON.stringify([version, outerToolCallId, executionId, revision, seq, approval, sealed, alg, nonce, issuedAtMs, expiresAtMs]);
  return createHmac('sha256', signing.key).update(signed).digest('base64url');
}
