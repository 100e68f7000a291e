// Questions to people, and their answers.

import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

import { check, checkOptions } from '../check';
import { shown } from '../schema';
import { ToolError } from '../tool';
import type { ElicitationRequest, ElicitationResponse, PendingElicitation, ToolDefinition } from './types';

export interface ElicitationEngineOptions {
  /** Receives each question. It may call `resolve` at once. What it returns or throws makes no difference. */
  onPause?: (elicitation: PendingElicitation) => unknown;
  /** The time after which a question counts as denied, in milliseconds. The default is 24 hours. */
  timeoutMs?: number;
}

/** The maximum number of open questions. Further ones are denied. */
const MAX_PENDING = 10_000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** The longest time for which a timer of Node can be set. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

interface Entry {
  elicitation: PendingElicitation;
  answer: (response: ElicitationResponse) => void;
  timer: NodeJS.Timeout;
}

/** The engine of the runtime that a tool is called by, and the function that asks there, so that its program pauses. */
export const asking = new AsyncLocalStorage<{
  engine: ElicitationEngine | undefined;
  ask: (request: ElicitationRequest, no: No) => Promise<ElicitationResponse>;
}>();

/** What a no does: it fails the call, or the tool learns it. */
export type No = 'fails' | 'returns';

/** Keeps questions until they are answered, and the tools that need no question in this session. */
export class ElicitationEngine {
  readonly #pending = new Map<string, Entry>();
  readonly #approved = new Set<string>();
  readonly #onPause: ElicitationEngineOptions['onPause'];
  readonly #timeoutMs: number;

  constructor(options: ElicitationEngineOptions = {}) {
    checkOptions('new ElicitationEngine(options)', options, { onPause: 'function', timeoutMs: 'positive' });
    const { onPause, timeoutMs = DAY_MS } = options;
    if (timeoutMs > MAX_TIMEOUT_MS) throw new TypeError(`new ElicitationEngine(options): \`timeoutMs\` is ${timeoutMs}; expected at most ${MAX_TIMEOUT_MS}`);
    this.#onPause = onPause;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Asks before a destructive tool is called, and returns at once for others and for tools that the session has approved. Throws if the answer
   * is no. Inside `invoke` of a runtime with this engine the program pauses; elsewhere the promise waits.
   */
  async gate(tool: ToolDefinition, args: Record<string, unknown> = {}): Promise<ElicitationResponse | undefined> {
    check('gate: `tool.path`', tool?.path, 'someText');
    if (tool.destructive !== true || this.isSessionApproved(tool.path)) return undefined;
    const call = asking.getStore();
    const question = questionOf(tool, args);
    const response = await (call?.engine === this ? call.ask(question, 'fails') : this.#wait(question));
    if (!response.approved) throw new ToolError(`Tool "${tool.path}" was denied`);
    return response;
  }

  /** Answers a question. Returns whether it was open. */
  resolve(executionId: string, approved: boolean, data?: Record<string, unknown>): boolean {
    check('resolve: `executionId`', executionId, 'text');
    check('resolve: `approved`', approved, 'truth');
    if (data !== undefined) check('resolve: `data`', data, 'object');
    const entry = this.#pending.get(executionId);
    if (entry === undefined) return false;
    this.withdraw(executionId);
    entry.answer({ executionId, approved, ...(data !== undefined && { data }) });
    return true;
  }

  /** Returns an open question. */
  getPending(executionId: string): PendingElicitation | undefined {
    return this.#pending.get(executionId)?.elicitation;
  }

  /** Returns all open questions, the oldest first. */
  getAllPending(): PendingElicitation[] {
    return [...this.#pending.values()].map(({ elicitation }) => elicitation);
  }

  /** Tells whether there are open questions. */
  hasPending(): boolean {
    return this.#pending.size > 0;
  }

  /** Approves future calls of a tool. */
  addSessionApproval(toolPath: string): void {
    check('addSessionApproval: `toolPath`', toolPath, 'someText');
    this.#approved.add(toolPath);
  }

  /** Tells whether calls of a tool need no question. */
  isSessionApproved(toolPath: string): boolean {
    return this.#approved.has(toolPath);
  }

  /** Forgets all approvals of the session. */
  clearSessionApprovals(): void {
    this.#approved.clear();
  }

  /** @internal Adds a question. Too many are denied at once. */
  add(executionId: string, { toolPath, message, args, type = 'approval' }: ElicitationRequest, answer: Entry['answer']): void {
    if (this.#pending.size >= MAX_PENDING) return answer({ executionId, approved: false });
    const elicitation = { executionId, toolPath, message, ...(args !== undefined && { args }), type, createdAt: Date.now() };
    const timer = setTimeout(() => this.resolve(executionId, false), this.#timeoutMs);
    timer.unref();
    this.withdraw(executionId);
    this.#pending.set(executionId, { elicitation, answer, timer });
    // A hook must not change what the program does.
    void (async () => this.#onPause?.(elicitation))().catch(() => {});
  }

  /** @internal Removes a question without an answer. */
  withdraw(executionId: string): void {
    clearTimeout(this.#pending.get(executionId)?.timer);
    this.#pending.delete(executionId);
  }

  #wait(request: ElicitationRequest): Promise<ElicitationResponse> {
    return new Promise((resolve) => this.add(randomUUID(), request, resolve));
  }
}

/** Returns the question about a call. */
export function questionOf({ path, name, description }: ToolDefinition, args: Record<string, unknown>): ElicitationRequest {
  return { toolPath: path, message: `Run ${name ?? path}?${description ? ` ${description}` : ''}`, args };
}

/** Checks a question of a host. */
export function checkRequest(request: ElicitationRequest): void {
  checkOptions('elicit', request ?? null, { toolPath: 'someText', message: 'text', args: 'object', type: 'text' });
  check('elicit: `toolPath`', request.toolPath, 'someText');
  check('elicit: `message`', request.message, 'text');
  if (request.type !== undefined && request.type !== 'approval' && request.type !== 'form') {
    throw new TypeError(`elicit: \`type\` is ${shown(request.type)}; expected 'approval' or 'form'`);
  }
}
