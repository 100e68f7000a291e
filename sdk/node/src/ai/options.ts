// The limits of an invocation, with the defaults of code mode.

import { memoryFor, stackFor } from '../highest';
import type { Limits } from '../limits';
import type { CodeModeOptions } from './types';

const MIB = 1024 * 1024;

/** The limits of an invocation, in bytes and milliseconds. */
export interface Policy {
  timeoutMs: number;
  memoryLimitBytes: number;
  maxStackSizeBytes: number;
  maxResultBytes: number;
  maxSourceBytes: number;
  maxToolInputBytes: number;
  maxToolOutputBytes: number;
  maxBridgeRequests: number;
  maxInFlightBridgeRequests: number;
}

const DEFAULTS: Readonly<Policy> = {
  timeoutMs: 30_000,
  memoryLimitBytes: 64 * MIB,
  maxStackSizeBytes: 2 * MIB,
  maxResultBytes: MIB,
  maxSourceBytes: 256 * 1024,
  maxToolInputBytes: MIB,
  maxToolOutputBytes: 4 * MIB,
  maxBridgeRequests: 256,
  maxInFlightBridgeRequests: 32,
};

const KEYS = Object.keys(DEFAULTS) as (keyof Policy)[];

/** Checks the policy of an invocation, and fills in defaults. */
export function policyOf({ executionPolicy }: CodeModeOptions): Policy {
  if (executionPolicy === undefined) return DEFAULTS;
  const policy = { ...DEFAULTS };
  for (const key of KEYS) {
    const value = executionPolicy[key];
    if (value === undefined) continue;
    if (!Number.isInteger(value) || value <= 0) throw new TypeError(`executionPolicy.${key} must be a positive integer.`);
    policy[key] = value;
  }
  return policy;
}

/** The limits of the last policy. Most invocations of a process have the same. */
let last: { policy: Policy; sourceBytes: number; fetchBytes: number; limits: Limits } | undefined;

/** Returns the limits of Isobox for a policy. Fetched bodies come as results of a tool, in base64. */
export function limitsOf(policy: Policy, { sourceBytes, fetchBytes }: { sourceBytes: number; fetchBytes: number }): Limits {
  const known = last;
  const isSame = known?.policy === policy || KEYS.every((key) => known?.policy[key] === policy[key]);
  if (isSame && known?.sourceBytes === sourceBytes && known.fetchBytes === fetchBytes) return known.limits;
  const limits: Limits = Object.freeze({
    timeout: policy.timeoutMs,
    // There is one time-out.
    cpu: policy.timeoutMs,
    memory: memoryFor(policy.memoryLimitBytes),
    stack: stackFor(policy.maxStackSizeBytes),
    source: policy.maxSourceBytes + sourceBytes,
    result: policy.maxResultBytes,
    input: policy.maxToolInputBytes,
    output: Math.max(policy.maxToolOutputBytes, 2 * fetchBytes),
    calls: policy.maxBridgeRequests,
    inFlight: policy.maxInFlightBridgeRequests,
    inFlightExcess: 'fail',
    settle: 0,
    unsettled: 'fail',
  });
  last = { policy, sourceBytes, fetchBytes, limits };
  return limits;
}
