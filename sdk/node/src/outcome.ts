// The outcome of an execution, in the JSON shape that all interfaces of Isobox share.

import { type Code, errorOf } from './errors';

/** A failure: the cause, the place in the author's text, and advice. */
export interface Failure {
  code: Code;
  /** The name of the error as the program sees it. */
  name: string;
  message: string;
  line?: number;
  column?: number;
  hint?: string;
  /** Details that depend on the code: `file`, `source`, `stack`, `tool`, `limit`, `cause`, `errors`, `properties` … */
  details?: Record<string, unknown>;
}

export interface Log {
  level: 'debug' | 'log' | 'info' | 'warn' | 'error';
  message: string;
}

export type CallState =
  | 'issued'
  | 'pending'
  | 'started'
  | 'applied'
  | 'failed'
  | 'denied'
  | 'cancelled-unknown'
  | 'in-doubt'
  | 'reverted';

/** A tool call of an execution. */
export interface CallRecord {
  /** The number of the call. */
  seq: string;
  path: string;
  state: CallState;
  durationMs?: number;
  /** Only with `details.inputs` of the run. */
  input?: unknown;
  /** Only with `details.outputs` of the run. */
  output?: unknown;
  error?: Failure;
  /** The number of the call that this call of a rollback reverts. */
  reverts?: string;
}

/** A call that waits for a decision. */
export interface PendingCall {
  seq: string;
  path: string;
  input: unknown;
  kind: 'approval' | 'interrupt' | 'in-doubt';
  /** The reason for the question. */
  why?: string;
  /** The question of the tool, in its own terms. */
  payload?: unknown;
  /** The place of the call in the program. */
  at?: { file?: string; line: number; column: number };
  /** The snippet that makes the call, with its code and the place of the call in it. */
  snippet?: { name: string; version: number; code?: string; at?: { file?: string; line: number; column: number } };
  /** The time in milliseconds before which a person may not say that a call in doubt did not happen. */
  notBefore?: number;
  /** The number of the call that this call of a rollback reverts, and the path of its tool. */
  reverts?: string;
  revertsPath?: string;
}

interface Common {
  executionId: string;
  logs: Log[];
  /** What the program recorded with `codemode.fact`. Absent if it recorded nothing. */
  facts?: Record<string, unknown>;
  calls: CallRecord[];
}

/** The program returned. */
export interface Completed<T = unknown> extends Common {
  status: 'completed';
  result: T;
  warnings?: { message: string; seq?: string }[];
  durationMs: number;
}

/** The program waits for decisions. */
export interface Paused extends Common {
  status: 'paused';
  /** Counts changes of the set of pending calls. A decision names the revision that was shown. */
  revision: number;
  pending: PendingCall[];
  /** The paused program as one sealed text. Only with `stateless: true`. */
  continuation?: string;
  /** Whether the execution is held because its store was restored from a backup. */
  restored?: boolean;
  /** The time in milliseconds at which the execution continues without a decision, because a timer is due. */
  until?: number;
}

/** The program waits for a timer, and is stored until then. Only with the limit `lifetime`. */
export interface Sleeping extends Common {
  status: 'sleeping';
  /** The time in milliseconds at which it is to be woken. */
  until: number;
}

/** The program failed, or was not run at all. */
export interface Failed extends Common {
  status: 'failed';
  error: Failure;
  durationMs: number;
}

/** This process cannot continue the execution, which has not ended. Resume it; do not run the program again. */
export interface Interrupted extends Common {
  status: 'interrupted';
  error: Failure;
  durationMs: number;
}

/** Calls of the execution, which had ended, were reverted. */
export interface RolledBack extends Common {
  status: 'rolled_back';
  /** The step after which calls were reverted. */
  to?: string;
  /** The numbers of the reverted calls. */
  reverted: string[];
  /** Those of them that earlier rollbacks have reverted. */
  revertedBefore?: string[];
  /** The calls whose revert failed or was not made. A further rollback tries them again. */
  failed: { seq: string; path: string; error?: Failure }[];
  /** The calls that cannot be reverted. */
  left: { seq: string; path: string; reason: string }[];
  /** The reason why the rollback stopped early, if it did. */
  error?: Failure;
  durationMs: number;
}

/** The outcome of an execution. `status` tells which fields there are. */
export type Outcome<T = unknown> = Completed<T> | Paused | Sleeping | Failed | Interrupted | RolledBack;

/** Returns the result of a completed program. Throws the error of the outcome's code otherwise. */
export function unwrap<T>(outcome: Outcome<T>): T {
  switch (outcome.status) {
    case 'completed':
      return outcome.result;
    case 'failed':
      throw errorOf(outcome.error);
    case 'interrupted':
      throw errorOf({ ...outcome.error, details: { ...outcome.error.details, executionId: outcome.executionId } });
    case 'paused': {
      const message = `the program is waiting for ${outcome.pending.length} decisions`;
      const details = { executionId: outcome.executionId, revision: outcome.revision };
      throw errorOf({ code: 'APPROVAL_REQUIRED', name: 'ApprovalRequiredError', message, details });
    }
    case 'sleeping': {
      const message = `the program sleeps, and has no result before ${new Date(outcome.until).toISOString()}`;
      const details = { conflict: 'not-over', executionId: outcome.executionId };
      throw errorOf({ code: 'CONFLICT', name: 'ConflictError', message, details });
    }
    case 'rolled_back': {
      const message = 'the execution was rolled back';
      throw errorOf(outcome.error ?? { code: 'CONFLICT', name: 'ConflictError', message, details: { conflict: 'over' } });
    }
  }
}

/** Something that is wrong with a program, found before it runs. */
export interface Finding {
  code: 'UNKNOWN_TOOL' | 'FORBIDDEN' | 'APPROVAL_REQUIRED' | 'INVALID_INPUT' | 'DETACHED_CALL' | 'MISSING_AWAIT' | 'UNKNOWN_PROPERTY' | 'RULE';
  message: string;
  line: number;
  column: number;
  /** The file, if the program has several. */
  file?: string;
  /** The line of source. */
  source: string;
  hint?: string;
  /** Whether the program cannot succeed. Otherwise the mistake is in a branch. */
  certain: boolean;
}

/** The calls that a program would make. It has `result` or `error`. */
export interface Plan<T = unknown> {
  status: 'planned';
  calls: PlannedCall[];
  result?: T;
  error?: Failure;
  /** What the plan cannot know, in sentences. */
  uncertain: string[];
  logs: Log[];
  durationMs: number;
}

/** A call that a program would make. */
export interface PlannedCall {
  seq: string;
  path: string;
  input: unknown;
  /**
   * Made, because its tool only reads; held back, and answered by a stand-in; run, for a snippet, whose own calls are in the plan;
   * refused, as in a real run; or never answered.
   */
  done: 'made' | 'held' | 'ran' | 'refused' | 'open';
  /** The reason why the call needs approval, if it does. */
  approval?: string;
  /** Whether a real run makes the same call. */
  certain: boolean;
  error?: Failure;
}

/** An event of an execution. `type` tells which fields there are; `docs/events.md` lists them. */
export interface ExecutionEvent {
  execution: string;
  /** The period from a start or a resume to the next pause or end. */
  pass: number;
  /** The number of the event in its pass, from 0. */
  number: number;
  type:
    | 'started'
    | 'resumed'
    | 'rollbackBegan'
    | 'callIssued'
    | 'callStarted'
    | 'callProgressed'
    | 'callAsked'
    | 'callSettled'
    | 'outputMismatched'
    | 'factRecorded'
    | 'logged'
    | 'ended'
    | 'reshapeFailed';
  seq?: string;
  path?: string;
  input?: Content;
  output?: Content;
  progress?: Content;
  kind?: PendingCall['kind'];
  /** The name of a fact. */
  name?: string;
  /** The value of a fact. */
  value?: Content;
  error?: Failure;
  level?: Log['level'];
  message?: string;
  durationMs?: number;
  outcome?: Outcome;
  [further: string]: unknown;
}

/** A value in an event: its size, and the value itself where the run asked for values. */
export interface Content {
  bytes?: number;
  value?: unknown;
}
