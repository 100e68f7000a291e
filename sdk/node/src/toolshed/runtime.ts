// The runtime: scripts run in Isobox, and those that wait for people are in a store.

import { check, checkOptions } from '../check';
import { IsoboxError } from '../errors';
import { Isobox } from '../isobox';
import type { CallDecision } from '../executions';
import { elsewhere, failureOf, interruption } from '../not-over';
import type { CallState, Outcome, Paused, PendingCall } from '../outcome';
import { shown } from '../schema';
import { type ToolContext, ToolError, type ToolOptions, interrupt } from '../tool';
import { Catalog, allows, byPath } from './catalog';
import { ElicitationEngine, type No, asking, checkRequest } from './elicitation';
import type {
  CreateRuntimeOptions,
  ElicitationRequest,
  ElicitationResponse,
  ExecutionResult,
  InvokeContext,
  Runtime,
  RuntimeConfig,
  ToolDefinition,
  VercelRuntimeConfig,
} from './types';

const SHAPE = {
  ...({ tools: 'list', invoke: 'function', role: 'object', searchTools: 'function', describeTools: 'function', elicitation: 'object' } as const),
  ...({ timeoutMs: 'positive', store: 'someText', runtime: 'text' } as const),
  ...({ teamId: 'text', projectId: 'text', token: 'text', snapshotId: 'text', vcpus: 'any', networkPolicy: 'any' } as const),
};

const TIMEOUT_MS = 300_000;
/** The states of calls whose tool was not called. */
const NOT_MADE: CallState[] = ['issued', 'pending', 'denied'];
/** How to continue a script that is not over. */
const GO_ON = 'call `restore()` of the runtime later, then `result(executionId)`';
/** How many ended scripts a store in memory keeps. */
const KEPT = 100;

/** Creates a runtime with the tools that a role allows. */
export function createRuntime(options: CreateRuntimeOptions): IsoboxRuntime {
  return new IsoboxRuntime('createRuntime', options);
}

/** Runs scripts in Isobox. */
class IsoboxRuntime implements Runtime {
  readonly #isobox: Isobox;
  readonly #tools: ReadonlyMap<string, ToolDefinition>;
  readonly #elicitation: ElicitationEngine | undefined;
  /** Marks the scripts of the role in a store. */
  readonly #label: string;
  readonly #isOwnStore: boolean;
  /** Scripts whose question was answered and that have not ended or paused again. */
  readonly #continuing = new Map<string, Promise<ExecutionResult>>();
  /** Questions of this runtime that are open. */
  readonly #asked = new Set<string>();
  #isDisposed = false;

  constructor(owner: string, options: CreateRuntimeOptions) {
    checkOptions(owner, options ?? null, SHAPE);
    const { tools, invoke, role, searchTools, describeTools, elicitation, runtime, timeoutMs = TIMEOUT_MS, store = 'memory' } = options;
    check(`${owner}: \`invoke\``, invoke, 'function');
    if (role !== undefined) check(`${owner}: \`role.patterns\``, role.patterns, 'texts');
    if (elicitation !== undefined && !(elicitation instanceof ElicitationEngine)) {
      throw new TypeError(`${owner}: \`elicitation\` is ${shown(elicitation)}; expected an ElicitationEngine`);
    }
    if (runtime !== undefined && runtime !== 'local' && runtime !== 'vercel') {
      throw new TypeError(`${owner}: \`runtime\` is ${shown(runtime)}; expected "local" or "vercel"`);
    }
    const all = [...byPath(owner, tools)];
    this.#tools = new Map(role === undefined ? all : all.filter(([path]) => allows(role, path)));
    this.#elicitation = elicitation;
    this.#label = `toolshed:${role?.id ?? ''}`;
    this.#isOwnStore = store === 'memory';
    const catalog = new Catalog(this.#tools, searchTools ?? ((query, limit) => this.#search(query, limit)), describeTools);
    const callable = [...this.#tools.values()].map((tool): [string, ToolOptions<any, any>] => [tool.path, this.#tool(tool, invoke)]);
    this.#isobox = new Isobox({
      tools: {
        ...Object.fromEntries(callable),
        search: { description: 'Finds tools.', readOnly: true, execute: (input) => catalog.search(input) },
        'describe.tool': { description: 'Returns the definition of a tool.', readOnly: true, execute: (input) => catalog.describe(input) },
      },
      store,
      checks: 'off',
      limits: { timeout: timeoutMs, cpu: timeoutMs, memory: '256MiB', calls: 10_000 },
    });
  }

  /** Runs a script. Failures are in the result. A script that waits for a person returns with `paused`. */
  async execute(script: string): Promise<ExecutionResult> {
    check('execute: `script`', script, 'text');
    if (this.#isDisposed) return { success: false, error: 'Runtime has been disposed', calls: [] };
    const run = { details: { inputs: true }, label: { function: this.#label }, durable: this.#elicitation !== undefined };
    try {
      const result = await this.#finish(await this.#isobox.run(script, run));
      if (this.#isOwnStore && run.durable) await this.#isobox.executions.prune({ keep: KEPT });
      return result;
    } catch (error) {
      return failed(messageOf(error));
    }
  }

  /** Lists the paths of the tools that the role allows. */
  availableTools(): string[] {
    return [...this.#tools.keys()];
  }

  /**
   * Returns how a script went on that was paused: its next question, or its end. If an answer could not be used, the result says why, and the next
   * call of this asks again.
   */
  async result(executionId: string): Promise<ExecutionResult> {
    check('result: `executionId`', executionId, 'someText');
    const continuing = this.#continuing.get(executionId);
    if (continuing !== undefined) return continuing;
    try {
      const { outcome } = await this.#isobox.executions.get(executionId);
      if (outcome === null) return notOver(executionId, elsewhere(executionId, GO_ON));
      return this.#asked.has(executionId) ? this.#resultOf(outcome) : await this.#finish(outcome);
    } catch (error) {
      return broken(executionId, error);
    }
  }

  /**
   * Takes over the scripts of this role that an earlier process left in the store. Their questions are asked again, and scripts that were answered
   * go on. Returns the IDs.
   */
  async restore(): Promise<string[]> {
    const restored: string[] = [];
    let after: string | undefined;
    do {
      const page = await this.#isobox.executions.list({ states: ['paused', 'decided', 'orphaned'], limit: 500, ...(after !== undefined && { after }) });
      for (const { id, status, function: label } of page.executions) {
        if (label !== this.#label || this.#asked.has(id) || this.#continuing.has(id)) continue;
        restored.push(id);
        const found = status === 'paused' ? (await this.#isobox.executions.get(id)).outcome : null;
        this.#track(id, found === null ? this.#next(id, this.#isobox.executions.resume(id)) : this.#finish(found));
      }
      after = page.next ?? undefined;
    } while (after !== undefined);
    return restored;
  }

  /** Stops everything. Scripts that are paused stay in the store. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    for (const id of this.#asked) this.#elicitation?.withdraw(id);
    this.#asked.clear();
    await this.#isobox.close();
    await Promise.allSettled(this.#continuing.values());
  }

  async #search(query: string, limit: number): Promise<ToolDefinition[]> {
    const { results } = await this.#isobox.search(query, { limit: Math.min(limit + 2, 50) });
    return results.flatMap(({ path }) => this.#tools.get(path) ?? []);
  }

  #tool(tool: ToolDefinition, invoke: RuntimeConfig['invoke']): ToolOptions<any, any> {
    const { path, description } = tool;
    return {
      ...(typeof description === 'string' && { description }),
      execute: async (args, call) => {
        if (typeof args !== 'object' || args === null || Array.isArray(args)) throw new ToolError(`tools.${path}: the arguments are ${shown(args)}; expected an object`);
        const engine = this.#elicitation;
        const ask = askIn(call, engine);
        const { executionId, signal, idempotencyKey } = call;
        const context: InvokeContext = { executionId, signal, idempotencyKey, elicit: (request) => ask(request, 'returns') };
        return asking.run({ engine, ask }, async () => {
          await engine?.gate(tool, args);
          return invoke(path, args, context);
        });
      },
    };
  }

  /** Asks what a paused script waits for, and goes on if the answer comes at once. */
  async #finish(outcome: Outcome): Promise<ExecutionResult> {
    const [call] = outcome.status === 'paused' ? outcome.pending : [];
    const engine = this.#elicitation;
    if (call === undefined || engine === undefined) return this.#resultOf(outcome);
    const { executionId } = outcome;
    let early: ElicitationResponse | undefined;
    let isReturned = false;
    this.#asked.add(executionId);
    engine.add(executionId, askedBy(call), (response) => {
      this.#asked.delete(executionId);
      if (isReturned) this.#track(executionId, this.#next(executionId, this.#decide(call, response)));
      else early = response;
    });
    isReturned = true;
    return early === undefined ? this.#resultOf(outcome) : this.#next(executionId, this.#decide(call, early));
  }

  async #next(executionId: string, continued: Promise<Outcome | null>): Promise<ExecutionResult> {
    let outcome: Outcome | null;
    try {
      outcome = await continued;
    } catch (error) {
      return broken(executionId, error);
    }
    return outcome === null ? notOver(executionId, elsewhere(executionId, GO_ON)) : this.#finish(outcome);
  }

  #decide(call: PendingCall, response: ElicitationResponse): Promise<Outcome | null> {
    return this.#isobox.executions.decide(response.executionId, [verdictOf(call, response)]);
  }

  /** Keeps the result of a script that goes on until it is there. */
  #track(executionId: string, result: Promise<ExecutionResult>): void {
    const kept = result.catch((error: unknown) => failed(messageOf(error))).finally(() => this.#continuing.delete(executionId));
    this.#continuing.set(executionId, kept);
  }

  #resultOf(outcome: Outcome): ExecutionResult {
    const made = outcome.calls.filter(({ path, state }) => this.#tools.has(path) && !NOT_MADE.includes(state));
    const calls = made.map(({ path, input }) => ({ path, args: (input ?? {}) as Record<string, unknown> }));
    const said = { calls, ...(outcome.logs.length > 0 && { logs: outcome.logs.map(({ level, message }) => ({ level, message })) }) };
    switch (outcome.status) {
      case 'completed':
        return { success: true, value: outcome.result, ...said };
      case 'paused':
        return { success: true, ...said, paused: pausedBy(outcome) };
      case 'failed':
        return { success: false, error: outcome.error.message, ...said };
      case 'interrupted':
        return { success: false, error: interruption(outcome, GO_ON), executionId: outcome.executionId, ...said };
      case 'sleeping':
      case 'rolled_back':
        return { success: false, error: `unexpected status ${outcome.status}`, ...said };
    }
  }
}

/** Replaces the runtime without isolation. */
export class RuntimeLocal extends IsoboxRuntime {
  constructor(config: RuntimeConfig) {
    super('new RuntimeLocal(config)', config);
  }
}

/** Replaces the runtime in microVMs. */
export class RuntimeVercel extends IsoboxRuntime {
  constructor(config: VercelRuntimeConfig) {
    super('new RuntimeVercel(config)', config);
  }
}

/** What an interrupt has: the question, and the answers to earlier questions of the same call. */
interface Question {
  no: No;
  elicitation: ElicitationRequest;
  answers: [question: string, answer: ElicitationResponse][];
}

type Ask = (request: ElicitationRequest, no: No) => Promise<ElicitationResponse>;

/** Returns the function that asks within a call. A path is asked about once for each type; the tool finds all answers when it runs again. */
function askIn({ executionId, interrupt: asked, resolution }: ToolContext, engine: ElicitationEngine | undefined): Ask {
  const earlier = asked as Question | undefined;
  const answers = new Map(earlier?.answers);
  if (earlier !== undefined) answers.set(keyOf(earlier.elicitation), { executionId, ...(resolution as { approved: boolean }) });
  return async (request, no) => {
    checkRequest(request);
    if (engine === undefined) throw new TypeError('elicit: `elicitation` of the runtime is undefined; expected an ElicitationEngine');
    const answer = answers.get(keyOf(request));
    if (answer !== undefined) return answer;
    return interrupt({ no, elicitation: request, answers: [...answers] } satisfies Question);
  };
}

function keyOf({ toolPath, type = 'approval' }: ElicitationRequest): string {
  return `${type}:${toolPath}`;
}

/** Returns the question of a call that waits. */
function askedBy({ kind, path, input, payload, why }: PendingCall): ElicitationRequest {
  const args = (input ?? {}) as Record<string, unknown>;
  switch (kind) {
    case 'interrupt':
      return (payload as Question).elicitation;
    case 'approval':
      return { toolPath: path, message: why ?? `Run ${path}?`, args };
    case 'in-doubt':
      return { toolPath: path, message: `It is not known whether ${path} has run. Run it again?`, args };
  }
}

function verdictOf({ seq, kind, payload }: PendingCall, { approved, data }: ElicitationResponse): CallDecision {
  switch (kind) {
    case 'interrupt':
      if (!approved && (payload as Question).no === 'fails') return { seq, verdict: 'deny' };
      return { seq, verdict: 'answer', value: { approved, ...(data !== undefined && { data }) } };
    case 'approval':
      return { seq, verdict: approved ? 'approve' : 'deny' };
    case 'in-doubt':
      return approved ? { seq, verdict: 'did-not-happen' } : { seq, verdict: 'fail', reason: 'a person decided not to run it again' };
  }
}

function pausedBy({ executionId, pending: [call] }: Paused): NonNullable<ExecutionResult['paused']> {
  if (call === undefined) return { executionId, toolPath: '', message: 'the script waits' };
  const { toolPath, message, args } = askedBy(call);
  return { executionId, toolPath, message, ...(args !== undefined && { args }) };
}

function failed(error: string): ExecutionResult {
  return { success: false, error, calls: [] };
}

/** Returns the result of a script that has not ended. */
function notOver(executionId: string, error: string): ExecutionResult {
  return { ...failed(error), executionId };
}

/** Returns the result for a request that failed. If the store failed, the script may not have ended. */
function broken(executionId: string, error: unknown): ExecutionResult {
  if (!(error instanceof IsoboxError && error.code === 'STORE')) return failed(messageOf(error));
  return notOver(executionId, failureOf(error, executionId, GO_ON));
}

function messageOf(error: unknown): string {
  if (error instanceof IsoboxError && error.code === 'NOT_FOUND') return 'No script with this ID. It may have been removed.';
  return error instanceof Error ? error.message : String(error);
}
