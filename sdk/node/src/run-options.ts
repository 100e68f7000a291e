// The options of a run.

import { check, checkOptions } from './check';
import { type Principal, principal } from './executions';
import { type Limits, readLimits } from './limits';
import type { ExecutionEvent } from './outcome';
import type { Tools } from './tool';

/** The options of one run. */
export interface RunOptions {
  /** The first file of a program with several: by default `main.ts`, `main.js`, `index.ts`, `index.js`, or the only one. */
  entry?: string;
  /** An ID that the caller chose. A durable run whose ID exists in the store is not run again. */
  id?: string;
  /** Whether the execution is kept in the store, so that it can wait for people. The default is true if there is a store. */
  durable?: boolean;
  /** Whether a paused program is returned as `continuation`, without a store. */
  stateless?: boolean;
  /** Lowers limits of the runtime. */
  limits?: Limits;
  /** Who runs the program. Roles decide which tools there are. */
  principal?: Principal;
  /** Decisions can be remembered for other executions with the same session. */
  session?: string;
  /**
   * Whether the program finds the globals that the last program of its session left. While another program uses the session,
   * `true` and `'wait'` wait, and `'refuse'` fails with `CONFLICT`.
   */
  globals?: boolean | 'wait' | 'refuse';
  /** Whether the program is checked before it runs: a certain mistake fails with `CHECK`. The default is that of the runtime, `errors`. */
  checks?: 'off' | 'warnings' | 'errors';
  /** Adds inputs or outputs to the records of calls. */
  details?: { inputs?: boolean; outputs?: boolean };
  /** Data by which events are found. */
  label?: { function?: string; metadata?: Record<string, unknown> };
  /** The seed of random numbers. */
  seed?: number;
  locale?: string;
  timeZone?: string;
  /** Tools for this run alone. */
  tools?: Tools;
  /** Cancels the run. Its outcome is `ABORTED` then. */
  signal?: AbortSignal;
  /** How much of inputs and outputs events contain. The default is `values` for `start` and for `onEvent`. */
  events?: 'nothing' | 'sizes' | 'progress' | 'values';
  /** Receives events as they occur. */
  onEvent?: (event: ExecutionEvent) => void;
}

const RUN = {
  entry: 'text',
  id: 'executionId',
  durable: 'truth',
  stateless: 'truth',
  limits: 'object',
  principal: 'principal',
  session: 'text',
  globals: 'globals',
  checks: 'checks',
  details: 'object',
  label: 'object',
  seed: 'count',
  locale: 'text',
  timeZone: 'text',
  tools: 'object',
  signal: 'signal',
  events: 'contents',
  onEvent: 'function',
} as const;

const DETAILS = { inputs: 'truth', outputs: 'truth' } as const;
const LABEL = { function: 'text', metadata: 'object' } as const;

/** Checks the names and the types of the options of a run. `owner` names the function in errors. */
export function checkRunOptions(owner: string, options: RunOptions): void {
  checkOptions(owner, options, RUN);
}

/** Checks the options of a run, and returns them as the native part takes them. `owner` names the function in errors. */
export function runRequest(owner: string, options: RunOptions): Record<string, unknown> {
  checkRunOptions(owner, options);
  const { id, durable, stateless, limits, session, globals, checks, details, label, seed, locale, timeZone } = options;
  if (durable === true && stateless === true) {
    throw new TypeError(`${owner}: \`durable\` and \`stateless\` are both true; expected at most one`);
  }
  if (globals !== undefined && globals !== false) check(`${owner}: \`session\``, session, 'someText');
  if (details !== undefined) checkOptions(`${owner}: \`details\``, details, DETAILS);
  if (label !== undefined) checkOptions(`${owner}: \`label\``, label, LABEL);
  const request: Record<string, unknown> = {};
  if (stateless === true) request['keep'] = 'continuation';
  else if (durable !== undefined) request['keep'] = durable ? 'store' : 'nothing';
  if (limits !== undefined) request['limits'] = readLimits(`${owner}: \`limits\``, limits);
  if (options.principal !== undefined) request['principal'] = principal(options.principal);
  if (details !== undefined) request['details'] = { inputs: false, outputs: false, ...details };
  if (locale !== undefined || timeZone !== undefined) request['region'] = { locale, timeZone };
  if (globals !== undefined && globals !== false) request['globals'] = globals === 'refuse' ? 'refuse' : 'wait';
  if (id !== undefined) request['id'] = id;
  if (session !== undefined) request['session'] = session;
  if (checks !== undefined) request['checks'] = checks;
  if (label !== undefined) request['label'] = label;
  if (seed !== undefined) request['seed'] = seed;
  return request;
}
