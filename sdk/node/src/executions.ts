// The durable executions of a store.

import { STATES, check, checkOptions } from './check';
import type { Engine } from './engine';
import type { CallRecord, CallState, ExecutionEvent, Failure, Log, Outcome, PendingCall } from './outcome';
import { type Files, sourceOf } from './program';
import { shown } from './schema';
import { type Tools, prepare } from './tool';

/** A person or a service: a name, or a name with roles. */
export type Principal = string | { name: string; roles?: string[] };

/** The state of a stored execution. */
export type ExecutionStatus = (typeof STATES)[number];

/** An execution in a list. */
export interface ListedExecution {
  executionId: string;
  /** The same as `executionId`. */
  id: string;
  status: ExecutionStatus;
  /** The time at which it was requested, in milliseconds. */
  created: number;
  updated: number;
  revision: number;
  pending: number;
  pendingCalls: { seq: string; path: string; kind: PendingCall['kind'] }[];
  calls: number;
  function?: string;
  owner?: string;
  code?: string;
  isHeld: boolean;
  messages: number;
}

/** A page of a list, newest first. */
export interface ExecutionPage {
  executions: ListedExecution[];
  unreadable: { executionId: string; id: string; status: 'unreadable'; reason: string }[];
  /** The start of the next page, for `after`. */
  next: string | null;
}

/** A stored execution. */
export interface StoredExecution {
  id: string;
  status: ExecutionStatus;
  revision: number;
  files: Files;
  entry: string;
  owner: string;
  /** How it ended, or what it waits for. Null while a process runs it, or after that process has died. */
  outcome: Outcome | null;
}

export type { CallState };

/** A decision about one call. */
export interface CallDecision {
  seq: string;
  verdict: 'approve' | 'deny' | 'answer' | 'happened' | 'did-not-happen' | 'fail';
  /** The answer to an interrupt, or the result of a call in doubt that happened. */
  value?: unknown;
  /** The reason. A program may read that of `deny` and `fail`. */
  reason?: string;
  /** The revision at which the call was shown. */
  revision?: number;
}

/** An execution that was due, and what became of it. */
export type Woken = { id: string; outcome: Outcome } | { id: string; error: Failure };

/** A replay that did what is recorded. One that does something else rejects with `DIVERGED`. */
export interface Replay {
  executionId: string;
  /** The recorded end; the end that a person, a limit or the host made; the end of the record of an execution that goes on; or `before`. */
  end: 'same' | 'ended-from-outside' | 'not-over' | 'stopped';
  /** Whether the program ran on another version of the sandbox. */
  isOtherImage: boolean;
  calls: CallRecord[];
  logs: Log[];
  facts: Record<string, unknown>;
}

interface Deciding {
  /** Who decides, for the journal. */
  by?: Principal;
  /** The revision that was shown: `CONFLICT` if a call has changed since. */
  revision?: number;
  /** `false` only records the decision. By default the execution is resumed. */
  resume?: boolean;
  /** Whether the decision applies to further calls of the same tool with the same input: of the execution, or of its session. */
  remember?: 'nothing' | 'execution' | 'session';
  /** The tools that the execution began with beside those of the runtime. */
  tools?: Tools;
  signal?: AbortSignal;
  /** Receives the events of the resumed execution. */
  onEvent?: (event: ExecutionEvent) => void;
}

const RESUMING = { tools: 'object', signal: 'signal', onEvent: 'function' } as const;
const ANSWERING = { by: 'principal', revision: 'count', resume: 'truth', ...RESUMING } as const;
const DECIDING = { ...ANSWERING, remember: 'remember' } as const;

/** The durable executions of a runtime. Methods that continue one return null if another process runs it. */
export class Executions {
  readonly #engine: Engine;

  /** @internal */
  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Lists executions, newest first. */
  list(options: { states?: ExecutionStatus[]; after?: string; limit?: number; updatedBefore?: number } = {}): Promise<ExecutionPage> {
    checkOptions('executions.list', options, { states: 'states', after: 'text', limit: 'positive', updatedBefore: 'count' });
    return this.#engine.request<ExecutionPage>({ method: 'list', limit: 50, ...options }).promise;
  }

  /** Returns an execution. */
  get(id: string): Promise<StoredExecution> {
    check('executions.get: `id`', id, 'someText');
    return this.#engine.request<StoredExecution>({ method: 'get', id }).promise;
  }

  /** Approves calls, and continues. Without `seq`, all calls that were pending at `revision`. */
  approve(id: string, options: Deciding & { seq?: string | string[] }): Promise<Outcome | null> {
    return this.#decideAlike('approve', id, options);
  }

  /** Denies calls, and continues: the program sees `APPROVAL_DENIED` with the reason. */
  deny(id: string, options: Deciding & { seq?: string | string[]; reason?: string }): Promise<Outcome | null> {
    return this.#decideAlike('deny', id, options);
  }

  /** Answers the interrupt of a call, or tells the result of a call in doubt that happened, and continues. */
  async resolve(id: string, seq: string, value: unknown, options: Omit<Deciding, 'remember'> = {}): Promise<Outcome | null> {
    check('executions.resolve: `id`', id, 'someText');
    check('executions.resolve: `seq`', seq, 'someText');
    checkOptions('executions.resolve', options, ANSWERING);
    const { by, revision } = options;
    await this.#engine.request({ method: 'resolve', id, seq, value: value ?? null, by: principal(by), revision }).promise;
    return this.#goOn(id, options);
  }

  /** Decides about several calls at once. Either all decisions count or none. */
  async decide(id: string, decisions: CallDecision[], options: Deciding = {}): Promise<Outcome | null> {
    check('executions.decide: `id`', id, 'someText');
    check('executions.decide: `decisions`', decisions, 'list');
    checkOptions('executions.decide', options, DECIDING);
    const { by, revision, remember } = options;
    for (const decision of decisions) checkDecision('executions.decide', decision);
    await this.#engine.request({ method: 'decide', id, by: principal(by), verdicts: decisions, revision, remember }).promise;
    return this.#goOn(id, options);
  }

  /** Rejects an execution: it ends with `REJECTED`, and its effects are not undone. */
  reject(id: string, options: { by?: Principal; reason?: string } = {}): Promise<Outcome | null> {
    check('executions.reject: `id`', id, 'someText');
    checkOptions('executions.reject', options, { by: 'principal', reason: 'text' });
    return this.#engine.request<Outcome | null>({ method: 'reject', id, ...options, by: principal(options.by) }).promise;
  }

  /** Cancels an execution that is no longer wanted: it ends with `ABORTED`, and its effects are not undone. */
  cancel(id: string, options: { by?: Principal; reason?: string } = {}): Promise<Outcome | null> {
    check('executions.cancel: `id`', id, 'someText');
    checkOptions('executions.cancel', options, { by: 'principal', reason: 'text' });
    return this.#engine.request<Outcome | null>({ method: 'cancel', id, ...options, by: principal(options.by) }).promise;
  }

  /**
   * Continues an execution until it ends or pauses again. Returns the outcome of one that has ended. `restored` is the principal that
   * resumes an execution which is held because its store was restored from a backup.
   */
  resume(id: string, options: Omit<Deciding, 'by' | 'revision' | 'resume' | 'remember'> & { onlyIfDecided?: boolean; restored?: Principal } = {}): Promise<Outcome | null> {
    check('executions.resume: `id`', id, 'someText');
    checkOptions('executions.resume', options, { ...RESUMING, onlyIfDecided: 'truth', restored: 'principal' });
    const { onlyIfDecided = false, restored, signal, onEvent } = options;
    const { definitions, release } = this.#engine.lend(prepare(options.tools ?? {}, '`tools`'));
    const request = { method: 'resume', id, tools: definitions, onlyIfDecided, restored: principal(restored), events: onEvent && 'values' };
    return this.#engine.request<Outcome | null>(request, { signal, onEvent, release }).promise;
  }

  /** Wakes all executions whose timers are due now, each once. */
  wake(options: { signal?: AbortSignal } = {}): Promise<Woken[]> {
    checkOptions('executions.wake', options, { signal: 'signal' });
    return this.#engine.request<Woken[]>({ method: 'wake' }, { signal: options.signal }).promise;
  }

  /** Wakes executions when they are due, in the background. Resolves when the signal aborts, and keeps the process alive until then. */
  async schedule(options: { signal: AbortSignal }): Promise<void> {
    checkOptions('executions.schedule', options, { signal: 'signal' });
    check('executions.schedule: `signal`', options?.signal, 'signal');
    await this.#engine.request({ method: 'schedule' }, { signal: options.signal }).promise;
  }

  /** Reverts the calls of an execution that has ended, the last one first; with `to`, only those after a step. */
  rollback(id: string, options: { by?: Principal; to?: string; tools?: Tools; signal?: AbortSignal } = {}): Promise<Outcome> {
    check('executions.rollback: `id`', id, 'someText');
    checkOptions('executions.rollback', options, { by: 'principal', to: 'text', tools: 'object', signal: 'signal' });
    const { definitions, release } = this.#engine.lend(prepare(options.tools ?? {}, '`tools`'));
    const request = { method: 'rollback', id, by: principal(options.by), to: options.to, tools: definitions };
    return this.#engine.request<Outcome>(request, { signal: options.signal, release }).promise;
  }

  /** Deletes an execution with everything that is recorded of it. */
  async delete(id: string, options: { by?: Principal } = {}): Promise<void> {
    check('executions.delete: `id`', id, 'someText');
    checkOptions('executions.delete', options, { by: 'principal' });
    await this.#engine.request({ method: 'delete', id, by: principal(options.by) }).promise;
  }

  /** Deletes ended executions, except the `keep` that ended last. Returns their IDs. */
  prune(options: { keep: number; by?: Principal }): Promise<string[]> {
    checkOptions('executions.prune', options, { keep: 'count', by: 'principal' });
    check('executions.prune: `keep`', options?.keep, 'count');
    return this.#engine.request<string[]>({ method: 'prune', keep: options.keep, by: principal(options.by) }).promise;
  }

  /** Expires executions that nothing has changed for a time. Returns their IDs. */
  expire(options: { olderThanMs: number; by?: Principal }): Promise<string[]> {
    checkOptions('executions.expire', options, { olderThanMs: 'count', by: 'principal' });
    check('executions.expire: `olderThanMs`', options?.olderThanMs, 'count');
    const request = { method: 'expire', olderThanMs: options.olderThanMs, by: principal(options.by) };
    return this.#engine.request<string[]>(request).promise;
  }

  /** Exports everything that is recorded of an execution as one JSON document. */
  export(id: string, options: { secrets?: boolean } = {}): Promise<string> {
    check('executions.export: `id`', id, 'someText');
    checkOptions('executions.export', options, { secrets: 'truth' });
    return this.#transcribe<string>({ verb: 'export', id, secrets: options.secrets ?? false });
  }

  /** Runs an execution, or an exported document, again without any tool. `before` stops before a call. Rejects with `DIVERGED` if the program does something else. */
  replay(of: string | { transcript: string }, options: { before?: string } = {}): Promise<Replay> {
    checkOptions('executions.replay', options, { before: 'someText' });
    return this.#transcribe<Replay>({ verb: 'replay', of: recorded('executions.replay', of), ...options });
  }

  /**
   * Forks an execution, or an exported document: a new execution begins with the history before the call `before`, and goes on from
   * there. That call is made, unless it has another `result` or `error`. No call of the history is made again.
   */
  fork(
    of: string | { transcript: string },
    options: { before: string; result?: unknown; error?: string; program?: string | Files; entry?: string; principal?: Principal } & Omit<Deciding, 'by' | 'revision' | 'resume' | 'remember'>,
  ): Promise<Outcome | null> {
    const owner = 'executions.fork';
    checkOptions(owner, options, { ...RESUMING, before: 'someText', result: 'any', error: 'text', program: 'any', entry: 'text', principal: 'principal' });
    check(`${owner}: \`before\``, options?.before, 'someText');
    const { before, result, error, program, entry, signal, onEvent } = options;
    if (result !== undefined && error !== undefined) {
      throw new TypeError(`${owner}: \`result\` is ${shown(result)} and \`error\` is ${shown(error)}; expected at most one`);
    }
    const request = {
      ...{ verb: 'fork', of: recorded(owner, of), before, principal: principal(options.principal), events: onEvent && 'values' },
      answer: error !== undefined ? { error } : result !== undefined ? { result } : undefined,
      program: program === undefined ? undefined : sourceOf(owner, program, entry),
    };
    const { definitions, release } = this.#engine.lend(prepare(options.tools ?? {}, '`tools`'));
    const transcripts = { method: 'transcripts', request: { ...request, tools: definitions } };
    return this.#engine.request<Outcome | null>(transcripts, { signal, onEvent, release }).promise;
  }

  /** Holds every unfinished execution of a store that was restored from a backup. Returns their IDs. Call it before any other use of the store. */
  markRestored(options: { by?: Principal } = {}): Promise<string[]> {
    checkOptions('executions.markRestored', options, { by: 'principal' });
    return this.#engine.request<string[]>({ method: 'markRestored', by: principal(options.by) }).promise;
  }

  #transcribe<T>(request: object): Promise<T> {
    return this.#engine.request<T>({ method: 'transcripts', request }).promise;
  }

  async #decideAlike(
    verdict: 'approve' | 'deny',
    id: string,
    options: Deciding & { seq?: string | string[]; reason?: string },
  ): Promise<Outcome | null> {
    const owner = `executions.${verdict}`;
    check(`${owner}: \`id\``, id, 'someText');
    checkOptions(owner, options, { ...DECIDING, seq: 'any', ...(verdict === 'deny' && { reason: 'text' }) });
    const { by, revision, reason, seq, remember } = options ?? {};
    if (seq === undefined && revision === undefined) {
      throw new TypeError(`${owner}: \`seq\` and \`revision\` are undefined; expected the call, or the revision at which all pending calls were shown`);
    }
    if (seq !== undefined) check(`${owner}: \`seq\``, [seq].flat(), 'texts');
    const verdicts = seq === undefined ? verdict : [seq].flat().map((one) => ({ seq: one, verdict, reason }));
    await this.#engine.request({ method: 'decide', id, by: principal(by), verdicts, revision, reason, remember }).promise;
    return this.#goOn(id, options);
  }

  /** Continues an execution that was decided about, unless only the decision was wanted. */
  async #goOn(id: string, { resume, tools, signal, onEvent }: Deciding): Promise<Outcome | null> {
    if (resume === false) return null;
    return this.resume(id, { ...(tools && { tools }), ...(signal && { signal }), ...(onEvent && { onEvent }) });
  }
}

/** Returns a principal as the native part takes it. */
export function principal(by: Principal | undefined): { name: string; roles?: string[] } | undefined {
  return typeof by === 'string' ? { name: by } : by;
}

const VERDICTS = ['approve', 'deny', 'answer', 'happened', 'did-not-happen', 'fail'];

/** Checks a decision about one call. */
export function checkDecision(owner: string, decision: CallDecision): void {
  const inner = `${owner}: a decision`;
  check(inner, decision, 'object');
  checkOptions(inner, decision, { seq: 'someText', verdict: 'text', value: 'any', reason: 'text', revision: 'count' });
  check(`${inner}: \`seq\``, decision.seq, 'someText');
  if (!VERDICTS.includes(decision.verdict)) {
    throw new TypeError(`${inner}: \`verdict\` is ${shown(decision.verdict)}; expected one of ${VERDICTS.join(', ')}`);
  }
}

/** Returns a recorded execution as the native part takes it. */
function recorded(owner: string, of: string | { transcript: string }): { id: string } | { transcript: string } {
  if (typeof of === 'string' && of !== '') return { id: of };
  if (typeof of === 'object' && of !== null && typeof of.transcript === 'string') return { transcript: of.transcript };
  throw new TypeError(`${owner}: the execution is ${shown(of)}; expected its ID, or { transcript } with an exported document`);
}
