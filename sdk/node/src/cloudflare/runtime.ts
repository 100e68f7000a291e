// The runtime handle: durable executions over a store of Isobox, in the place of a Durable Object.

import type { Tool } from 'ai';

import { IsoboxError } from '../errors';
import { Isobox } from '../isobox';
import type { CallRecord, Outcome } from '../outcome';
import { shown } from '../schema';
import type { ToolOptions, Tools } from '../tool';
import type { CodemodeConnector, ConnectorTool, ExecutionEndStatus, PassEndStatus } from './connector';
import { body, lineOf } from './executor';
import { CODE_INPUT } from './providers';

export const DEFAULT_MAX_EXECUTIONS = 50;
export const DEFAULT_PAUSED_TTL_MS = 24 * 60 * 60 * 1000;
export const MAX_DURABLE_VALUE_BYTES = 1_000_000;

export type ProxyToolInput = { code: string };
export type PendingAction = { executionId: string; seq: number; connector: string; method: string; args: unknown };
export type ProxyToolOutput =
  | { status: 'completed'; executionId: string; result: unknown; logs?: string[] }
  | { status: 'paused'; executionId: string; pending: PendingAction[] }
  | { status: 'error'; executionId: string; error: string; logs?: string[] };
export type TransformResult = (result: unknown) => unknown | Promise<unknown>;
export type ExecutionStatus = 'running' | 'paused' | 'completed' | 'error' | 'rejected' | 'rolled_back';
export type ToolLogEntry = {
  seq: number;
  connector: string;
  method: string;
  args: unknown;
  result?: unknown;
  requiresApproval: boolean;
  ephemeral?: boolean;
  state: 'executing' | 'applied' | 'pending' | 'reverted' | 'error';
};
export type ExecutionState = {
  id: string;
  code: string;
  status: ExecutionStatus;
  log: ToolLogEntry[];
  result?: unknown;
  error?: string;
  logs?: string[];
  createdAt: number;
  updatedAt: number;
};

export interface CreateCodemodeRuntimeOptions {
  connectors: CodemodeConnector[];
  /** The store of executions: `sqlite:PATH`, `postgres://…`, or `memory`, the default. */
  store?: string;
  /** Accepted, and ignored: there is no Durable Object. */
  ctx?: unknown;
  /** Accepted, and ignored: programs run in Isobox. */
  executor?: unknown;
  /** The default is `default`. Runtimes with other names do not see its executions. */
  name?: string;
  /** The number of ended executions to keep. The default is 50. */
  maxExecutions?: number;
  /** Reshapes a result for the model. */
  transformResult?: TransformResult;
  /** The maximum time of an execution, in milliseconds. The default is 60,000. */
  timeout?: number;
}

/** A runtime whose connectors were asked for their tools. */
interface Connected {
  isobox: Isobox;
  /** Defines the namespaces of connectors. One line. */
  prelude: string;
  tools: Map<string, ConnectorTool>;
}

/** Creates the runtime. Its connectors are asked when it is first used. */
export function createCodemodeRuntime(options: CreateCodemodeRuntimeOptions): CodemodeRuntimeHandle {
  return new CodemodeRuntimeHandle(options);
}

export class CodemodeRuntimeHandle {
  readonly #options: CreateCodemodeRuntimeOptions;
  readonly #name: string;
  #ready: Promise<Connected> | undefined;

  constructor(options: CreateCodemodeRuntimeOptions) {
    const { connectors, name = 'default' } = options ?? {};
    if (!Array.isArray(connectors)) throw new TypeError(`createCodemodeRuntime: connectors is ${shown(connectors)}; expected an array`);
    if (!/^[\w.-]+$/.test(name)) throw new TypeError(`createCodemodeRuntime: name is ${shown(name)}; expected letters, digits, _, - and .`);
    const names = connectors.map((connector) => connector.name());
    for (const [at, one] of names.entries()) {
      if (one === 'codemode' || one === 'tools' || names.indexOf(one) !== at) {
        throw new TypeError(`createCodemodeRuntime: the name of a connector is ${shown(one)}; expected a name that no other has, and neither codemode nor tools`);
      }
    }
    this.#options = options;
    this.#name = name;
  }

  /** Returns the tool of the AI SDK for the model. */
  tool(options: { description?: string; connectorHints?: Record<string, string> } = {}): Tool<ProxyToolInput, ProxyToolOutput> {
    const hints = this.#options.connectors.map((connector) => {
      const hint = options.connectorHints?.[connector.name()];
      return `- ${connector.name()}${hint === undefined ? '' : `: ${hint}`}`;
    });
    const description =
      options.description ??
      `Runs a program that uses connectors. Write an async arrow function that returns the result.\n\nConnectors are globals:\n${hints.join('\n')}\n\n` +
        'Find methods with `codemode.search(query)`, and read their types with `codemode.describe("connector.method")`. ' +
        'Wrap other work with effects in `codemode.step(name, fn)`. Calls that need approval pause the program.';
    return { description, inputSchema: CODE_INPUT, execute: ({ code }: ProxyToolInput) => this.#run(code) } as unknown as Tool<ProxyToolInput, ProxyToolOutput>;
  }

  /** Approves the pending calls of a paused execution, and continues it. */
  async approve({ executionId }: { executionId: string }): Promise<ProxyToolOutput> {
    const { isobox } = await this.#start();
    const found = await this.#find(executionId);
    if (found?.outcome?.status !== 'paused') return { status: 'error', executionId, error: `Execution ${executionId} is not paused` };
    const { revision } = found.outcome;
    return this.#output(executionId, () => isobox.executions.approve(executionId, { revision }));
  }

  /** Rejects a pending call, and ends the execution. Returns false if the call is not pending. */
  async reject({ seq, executionId }: { seq: number; executionId: string }): Promise<boolean> {
    const pending = await this.pending(executionId);
    if (!pending.some((action) => action.seq === seq)) return false;
    const { isobox } = await this.#start();
    await isobox.executions.reject(executionId);
    await this.#ended(executionId, 'rejected');
    return true;
  }

  /** Undoes the calls of an execution, the last one first. */
  async rollback({ executionId }: { executionId: string }): Promise<void> {
    const { isobox } = await this.#start();
    await isobox.executions.rollback(executionId);
    await this.#ended(executionId, 'rolled_back');
  }

  /** Lists calls that wait for approval: those of one execution, or of all. */
  async pending(executionId?: string): Promise<PendingAction[]> {
    const ids = executionId === undefined ? (await this.#list(['paused'])).map(({ id }) => id) : [executionId];
    const found = await Promise.all(ids.map((id) => this.#find(id)));
    return found.flatMap((execution) => (execution?.outcome?.status === 'paused' ? pendingOf(execution.outcome) : []));
  }

  /** Ends executions that nothing has changed for a time. Returns their IDs. */
  async expirePaused({ maxAgeMs = DEFAULT_PAUSED_TTL_MS }: { maxAgeMs?: number } = {}): Promise<string[]> {
    const { isobox } = await this.#start();
    const expired = await isobox.executions.expire({ olderThanMs: maxAgeMs });
    for (const id of expired) await this.#ended(id, 'error');
    return expired;
  }

  /** Returns records of executions, newest first. */
  async executions(limit = DEFAULT_MAX_EXECUTIONS): Promise<ExecutionState[]> {
    const { prelude, tools } = await this.#start();
    const listed = (await this.#list()).slice(0, limit);
    const states = await Promise.all(
      listed.map(async ({ id, created, updated }) => {
        const found = await this.#find(id);
        return found && stateOf(found, { createdAt: created, updatedAt: updated, prelude, tools });
      }),
    );
    return states.filter((state) => state !== undefined);
  }

  /** Deletes a record. Returns whether it was there. */
  async deleteExecution(id: string): Promise<boolean> {
    const found = await this.#find(id);
    if (found === undefined) return false;
    const { isobox } = await this.#start();
    await isobox.executions.delete(id);
    if (found.outcome === null || found.outcome.status === 'paused') await this.#ended(id, 'error');
    return true;
  }

  /** Deletes older ended executions. Returns their number. */
  async pruneExecutions(keep = DEFAULT_MAX_EXECUTIONS): Promise<number> {
    const { isobox } = await this.#start();
    return (await isobox.executions.prune({ keep })).length;
  }

  async #run(code: string): Promise<ProxyToolOutput> {
    const { isobox, prelude } = await this.#start();
    await isobox.executions.prune({ keep: this.#options.maxExecutions ?? DEFAULT_MAX_EXECUTIONS });
    const run = isobox.start(prelude + body(code), { details: { inputs: true, outputs: true }, label: { function: this.#name } });
    return this.#output(run.id, () => run.outcome);
  }

  /** Waits for an outcome, calls the hooks of connectors, and returns what the model sees. */
  async #output(executionId: string, outcome: () => Promise<Outcome | null>): Promise<ProxyToolOutput> {
    let ended: Outcome | null;
    try {
      ended = await outcome();
    } catch (error) {
      return { status: 'error', executionId, error: error instanceof Error ? error.message : String(error) };
    }
    if (ended === null) return { status: 'error', executionId, error: 'another process runs the execution' };
    const logs = ended.logs.map(lineOf);
    const said = logs.length > 0 ? { logs } : {};
    if (ended.status === 'paused') {
      await this.#passEnded(executionId, 'paused');
      return { status: 'paused', executionId, pending: pendingOf(ended) };
    }
    await this.#ended(executionId, ended.status === 'completed' ? 'completed' : 'error');
    if (ended.status !== 'completed') return { status: 'error', executionId, error: ('error' in ended ? ended.error?.message : undefined) ?? ended.status, ...said };
    const { transformResult } = this.#options;
    return { status: 'completed', executionId, result: transformResult === undefined ? ended.result : await transformResult(ended.result), ...said };
  }

  async #passEnded(executionId: string, status: PassEndStatus): Promise<void> {
    await Promise.allSettled(this.#options.connectors.map((connector) => connector.onPassEnd(executionId, status)));
  }

  async #ended(executionId: string, status: ExecutionEndStatus): Promise<void> {
    await this.#passEnded(executionId, status);
    await Promise.allSettled(this.#options.connectors.map((connector) => connector.disposeExecution(executionId, status)));
  }

  async #find(id: string): Promise<Stored | undefined> {
    const { isobox } = await this.#start();
    try {
      return await isobox.executions.get(id);
    } catch (error) {
      if (error instanceof IsoboxError && error.code === 'NOT_FOUND') return undefined;
      throw error;
    }
  }

  async #list(states: ('paused' | 'decided')[] = []): Promise<{ id: string; created: number; updated: number }[]> {
    const { isobox } = await this.#start();
    const found = [];
    let after: string | undefined;
    do {
      const page = await isobox.executions.list({ states, limit: 500, ...(after !== undefined && { after }) });
      found.push(...page.executions.filter((execution) => execution.function === this.#name));
      after = page.next ?? undefined;
    } while (after !== undefined);
    return found;
  }

  #start(): Promise<Connected> {
    this.#ready ??= this.#connect();
    // A connector that failed is asked again.
    this.#ready.catch(() => (this.#ready = undefined));
    return this.#ready;
  }

  async #connect(): Promise<Connected> {
    const { connectors, store = 'memory', timeout = 60_000 } = this.#options;
    const namespaces: Tools = {};
    const tools = new Map<string, ConnectorTool>();
    for (const connector of connectors) {
      const resolved = await connector.resolved();
      namespaces[connector.name()] = Object.fromEntries(Object.entries(resolved).map(([name, tool]) => [name, optionsOf(tool)]));
      for (const [name, tool] of Object.entries(resolved)) tools.set(`${connector.name()}.${name}`, tool);
    }
    const isobox = new Isobox({ tools: namespaces, store, checks: 'off', limits: { timeout, cpu: timeout } });
    return { isobox, tools, prelude: connectors.map((connector) => `const ${connector.name()}=tools.${connector.name()};`).join('') };
  }
}

function optionsOf({ description, inputSchema, outputSchema, requiresApproval, replay, execute, revert }: ConnectorTool): ToolOptions<any, any> {
  return {
    ...(description !== undefined && { description }),
    inputSchema: inputSchema ?? { type: 'object' },
    ...(outputSchema !== undefined && { outputSchema }),
    needsApproval: requiresApproval ?? false,
    ephemeral: replay === 'reexecute',
    execute: async (args, { executionId }) => execute(args, { executionId }),
    ...(revert !== undefined && { revert: ({ input, result }, { executionId }) => revert(input, result, { executionId }) }),
  };
}

function split(path: string): { connector: string; method: string } {
  const [connector = '', ...rest] = path.split('.');
  return { connector, method: rest.join('.') };
}

function pendingOf({ executionId, pending }: Extract<Outcome, { status: 'paused' }>): PendingAction[] {
  return pending.map(({ seq, path, input }) => ({ executionId, seq: Number(seq), ...split(path), args: input }));
}

const STATES: Record<CallRecord['state'], ToolLogEntry['state']> = {
  issued: 'executing',
  started: 'executing',
  pending: 'pending',
  applied: 'applied',
  failed: 'error',
  denied: 'error',
  'cancelled-unknown': 'error',
  'in-doubt': 'error',
  reverted: 'reverted',
};

type Stored = Awaited<ReturnType<Isobox['executions']['get']>>;

function stateOf(
  { id, status, files, entry, outcome }: Stored,
  { createdAt, updatedAt, prelude, tools }: { createdAt: number; updatedAt: number; prelude: string; tools: Map<string, ConnectorTool> },
): ExecutionState {
  const text = files[entry] ?? '';
  const calls = outcome?.calls.filter(({ reverts, path }) => reverts === undefined && tools.has(path)) ?? [];
  const log = calls.map(({ seq, path, state, input, output }): ToolLogEntry => {
    const { requiresApproval = false, replay } = tools.get(path) ?? {};
    return { seq: Number(seq), ...split(path), args: input, ...(output !== undefined && { result: output }), requiresApproval, ...(replay === 'reexecute' && { ephemeral: true }), state: STATES[state] };
  });
  const logs = outcome?.logs.map(lineOf) ?? [];
  return {
    id,
    code: text.startsWith(prelude) ? text.slice(prelude.length) : text,
    status: statusOf(status),
    log,
    ...(outcome?.status === 'completed' && { result: outcome.result }),
    ...(outcome?.status === 'failed' && { error: outcome.error.message }),
    ...(logs.length > 0 && { logs }),
    createdAt,
    updatedAt,
  };
}

function statusOf(status: Stored['status']): ExecutionStatus {
  switch (status) {
    case 'running':
    case 'orphaned':
      return 'running';
    case 'paused':
    case 'sleeping':
    case 'decided':
      return 'paused';
    case 'completed':
    case 'rejected':
    case 'rolled_back':
      return status;
    case 'failed':
    case 'unreadable':
      return 'error';
  }
}
