// Runs the functions of tools and hooks when the native part asks for them.

import type { ExecutionEvent } from './outcome';
import { Interrupt, type Prepared, ToolError, type ToolContext } from './tool';

/** A call as the native part sends it. */
interface CallMessage {
  slot: number;
  input: unknown;
  result?: unknown;
  resolution?: unknown;
  interrupt?: unknown;
  executionId: string;
  seq: string;
  attempt: number;
  timeLeftMs?: number;
  caller: string;
  roles: string[];
  session?: string;
  fencingToken?: number;
}

/** Passes on the answers to calls and questions. */
export interface Answering {
  answer(id: number, isOk: boolean, json: string): void;
  progress(id: number, json: string): void;
}

/** The failure of a call, as the native part reads it. */
interface FailureMessage {
  kind?: 'failed' | 'thrown' | 'invalidInput' | 'invalidOutput' | 'inDoubt' | 'interrupt';
  message?: string;
  details?: Record<string, unknown>;
  payload?: unknown;
}

/** A call that needs approval, as `approve` sees it. */
export interface ApprovalRequest {
  executionId: string;
  seq: string;
  path: string;
  /** The input, without the parts that the policy redacts. */
  input: unknown;
  /** The reason why approval is needed. */
  why: string;
}

/** A decision of `approve`. `undefined` leaves it to others: a durable execution waits for it. */
export type ApprovalDecision = 'approved' | 'denied' | { approved: boolean; reason?: string } | undefined | void;

/** The functions of the host beside its tools. */
export interface Hooks {
  approve?: ((request: ApprovalRequest) => ApprovalDecision | PromiseLike<ApprovalDecision>) | undefined;
  /** Receives the whole error of a tool or a hook. A program sees only its message. */
  onError?: ((error: unknown, where: ErrorPlace) => unknown) | undefined;
}

/** Where an error was thrown. */
export interface ErrorPlace {
  in: 'tool' | 'revert' | 'approve' | 'needsApproval' | 'onEvent';
  path?: string;
  executionId?: string;
  seq?: string;
}

/** The context of a call. The signal is made when it is first used. */
class Context implements ToolContext {
  #controller: AbortController | undefined;
  #isAborted = false;
  readonly #message: CallMessage;
  readonly path: string;

  constructor(message: CallMessage, path: string) {
    this.#message = message;
    this.path = path;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isAborted) this.#controller.abort();
    return this.#controller.signal;
  }

  abort(): void {
    this.#isAborted = true;
    this.#controller?.abort();
  }

  get executionId(): string {
    return this.#message.executionId;
  }

  get seq(): string {
    return this.#message.seq;
  }

  get idempotencyKey(): string {
    return `${this.#message.executionId}:${this.#message.seq}`;
  }

  get attempt(): number {
    return this.#message.attempt;
  }

  get resolution(): unknown {
    return this.#message.resolution;
  }

  get interrupt(): unknown {
    return this.#message.interrupt;
  }

  get timeLeftMs(): number | undefined {
    return this.#message.timeLeftMs;
  }

  get caller(): { name: string; roles: readonly string[] } {
    return { name: this.#message.caller, roles: this.#message.roles };
  }

  get session(): string | undefined {
    return this.#message.session;
  }

  get fencingToken(): number | undefined {
    return this.#message.fencingToken;
  }
}

/** The tools of a runtime, and their calls that are not answered yet. */
export class Calls {
  readonly #slots = new Map<number, Prepared>();
  readonly #open = new Map<number, Context>();
  readonly #hooks: Hooks;
  #next = 0;

  constructor(hooks: Hooks) {
    this.#hooks = hooks;
  }

  /** Keeps a tool, and returns its number. */
  add(tool: Prepared): number {
    const slot = this.#next++;
    this.#slots.set(slot, tool);
    return slot;
  }

  remove(slot: number): void {
    this.#slots.delete(slot);
  }

  /** Aborts the signal of a call whose result is not needed. */
  cancel(id: number): void {
    const context = this.#open.get(id);
    this.#open.delete(id);
    context?.abort();
  }

  /** Runs a tool or its revert, and answers. Never rejects. */
  async call(engine: Answering, id: number, json: string, kind: 'tool' | 'revert'): Promise<void> {
    let where: ErrorPlace = { in: kind };
    try {
      const message = JSON.parse(json) as CallMessage;
      const tool = this.#slots.get(message.slot);
      if (tool === undefined) throw new ToolError('the function of the tool is no longer there');
      where = { in: kind, path: tool.path, executionId: message.executionId, seq: message.seq };
      const context = new Context(message, tool.path);
      this.#open.set(id, context);
      const result = await (kind === 'tool' ? execute(tool, message, context, engine, id) : revert(tool, message, context));
      engine.answer(id, true, JSON.stringify(result) ?? 'null');
    } catch (error) {
      const failure = failureIn(error);
      if (failure.kind !== 'interrupt') this.#report(error, where);
      engine.answer(id, false, JSON.stringify(failure));
    } finally {
      this.#open.delete(id);
    }
  }

  /** Tells whether a call needs approval. Never rejects. */
  async needsApproval(engine: Answering, id: number, json: string): Promise<void> {
    const { slot, input } = JSON.parse(json) as { slot: number; input: unknown };
    const tool = this.#slots.get(slot);
    try {
      const { needsApproval } = tool?.options ?? {};
      const needed = typeof needsApproval === 'function' ? await needsApproval(input) : true;
      engine.answer(id, true, String(Boolean(needed)));
    } catch (error) {
      this.#report(error, { in: 'needsApproval', ...(tool && { path: tool.path }) });
      engine.answer(id, false, 'null');
    }
  }

  /** Asks the host to decide about a call. Never rejects. */
  async approve(engine: Answering, id: number, json: string): Promise<void> {
    const request = JSON.parse(json) as ApprovalRequest;
    try {
      const decision = await this.#hooks.approve?.(request);
      engine.answer(id, true, JSON.stringify(decided(decision)));
    } catch (error) {
      this.#report(error, { in: 'approve', path: request.path, executionId: request.executionId, seq: request.seq });
      engine.answer(id, false, 'null');
    }
  }

  /** Passes an event on. A function that throws or rejects changes nothing. */
  tell(onEvent: (event: ExecutionEvent) => unknown, event: ExecutionEvent): void {
    guarded(() => onEvent(event), (error) => this.#report(error, { in: 'onEvent', executionId: event.execution }));
  }

  #report(error: unknown, where: ErrorPlace): void {
    guarded(() => this.#hooks.onError?.(error, where), () => {});
  }
}

/** Calls a hook. If it throws or rejects, `failed` is called: it would end the process otherwise. */
function guarded(hook: () => unknown, failed: (error: unknown) => void): void {
  try {
    const returned = hook();
    if (typeof (returned as PromiseLike<unknown> | undefined)?.then === 'function') Promise.resolve(returned).catch(failed);
  } catch (error) {
    failed(error);
  }
}

async function execute(tool: Prepared, message: CallMessage, context: Context, engine: Answering, id: number): Promise<unknown> {
  let { input } = message;
  if (tool.input?.parse !== undefined) {
    const parsed = await tool.input.parse(input);
    if ('problem' in parsed) throw new Refused('invalidInput', `invalid input of tool \`${tool.path}\`: ${parsed.problem}`);
    input = parsed.value;
  }
  let result: unknown = await tool.options.execute(input, context);
  if (isAsyncIterable(result)) result = await lastOf(result, (value) => engine.progress(id, JSON.stringify(value) ?? 'null'), context);
  if (tool.output?.parse !== undefined) {
    const parsed = await tool.output.parse(result);
    if ('problem' in parsed) throw new Refused('invalidOutput', `invalid output of tool \`${tool.path}\`: ${parsed.problem}`);
    result = parsed.value;
  }
  return result;
}

async function revert(tool: Prepared, { input, result }: CallMessage, context: Context): Promise<unknown> {
  const { revert } = tool.options;
  if (typeof revert !== 'function') throw new ToolError('the tool has no function that reverts its calls');
  return revert({ input, result }, context);
}

/** A value that its schema refuses. */
class Refused extends Error {
  readonly kind: 'invalidInput' | 'invalidOutput';

  constructor(kind: 'invalidInput' | 'invalidOutput', message: string) {
    super(message);
    this.kind = kind;
  }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** Returns the last value, and reports all values as they come. Stops when the call is cancelled. */
async function lastOf(values: AsyncIterable<unknown>, report: (value: unknown) => void, context: Context): Promise<unknown> {
  let last: unknown;
  let isEmpty = true;
  for await (const value of values) {
    isEmpty = false;
    last = value;
    report(value);
    if (context.signal.aborted) break;
  }
  if (isEmpty) throw new ToolError('the tool returned no output: its stream was empty');
  return last;
}

/** Returns the failure of a call, which is JSON. An error that cannot be read is a failure, too. */
function failureIn(error: unknown): FailureMessage {
  try {
    return failureOf(error);
  } catch {
    return { kind: 'failed', message: 'the tool failed with an error that is not JSON' };
  }
}

/** Returns what the program may know of an error: its message, and the details of a `ToolError`. */
function failureOf(error: unknown): FailureMessage {
  if (error instanceof Interrupt) {
    return { kind: 'interrupt', payload: JSON.parse(JSON.stringify(error.payload ?? null)) };
  }
  if (error instanceof Refused) return { kind: error.kind, message: error.message };
  if (error instanceof ToolError) {
    return { kind: error.inDoubt ? 'inDoubt' : 'failed', message: error.message, details: plain(error.details) };
  }
  const message = error instanceof Error && error.message !== '' ? String(error.message) : 'the tool failed';
  return { kind: 'thrown', message };
}

function plain(details: Record<string, unknown>): Record<string, unknown> {
  try {
    return JSON.parse(JSON.stringify(details)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function decided(decision: ApprovalDecision): { approved?: boolean; reason?: string } {
  if (decision === 'approved') return { approved: true };
  if (decision === 'denied') return { approved: false };
  if (typeof decision === 'object' && typeof decision.approved === 'boolean') {
    return { approved: decision.approved, ...(typeof decision.reason === 'string' && { reason: decision.reason }) };
  }
  if (decision === undefined) return {};
  throw new TypeError(`approve returned ${String(decision)}; expected 'approved', 'denied', { approved, reason } or undefined`);
}
