// The runtime handle: durable executions over a store of Isobox, in the place of a Durable Object.

import type { Tool } from 'ai';

import { check, checkOptions } from '../check';
import { IsoboxError } from '../errors';
import type { ListedExecution } from '../executions';
import { Isobox } from '../isobox';
import { elsewhere, failureOf, interruption } from '../not-over';
import { type Outcome, unwrap } from '../outcome';
import { type Schema, shown } from '../schema';
import type { ToolOptions, Tools } from '../tool';
import type { CodemodeConnector, ConnectorTool, ExecutionEndStatus, PassEndStatus } from './connector';
import { lineOf, outboundOf, settingsOf } from './executor';
import { type Sources, programWith } from './modules';
import { programOf, readProgram } from './program';
import { CODE_INPUT } from './providers';
import {
  DEFAULT_MAX_EXECUTIONS,
  DEFAULT_PAUSED_TTL_MS,
  type ExecutionState,
  MAX_DURABLE_VALUE_BYTES,
  type PendingAction,
  type ProxyToolInput,
  type ProxyToolOutput,
  type SaveSnippetOptions,
  type Snippet,
  type Stored,
  type TransformResult,
  pendingOf,
  snippetOf,
  stateOf,
} from './records';
import { decode, encode, scopeOf } from './snippet-names';
import { sanitizeToolName } from './utilities';

export * from './records';

export interface CreateCodemodeRuntimeOptions {
  connectors: CodemodeConnector[];
  /** The store of executions: `sqlite:PATH`, `postgres://…`, or `memory`, the default. */
  store?: string;
  /** Accepted, and ignored: there is no Durable Object. */
  ctx?: unknown;
  /** An `IsoboxExecutor`, whose time, memory, modules and outbound requests are used. Others are ignored: programs run in Isobox. */
  executor?: unknown;
  /** The default is `default`. Runtimes with other names do not see its executions. */
  name?: string;
  /** The number of ended executions to keep. The default is 50. */
  maxExecutions?: number;
  /** Reshapes a result for the model. */
  transformResult?: TransformResult;
  /** The maximum time of an execution, in milliseconds. The default is that of `executor`, or 60,000. */
  timeout?: number;
}

/** A runtime whose connectors were asked for their tools. */
interface Connected {
  isobox: Isobox;
  /** Defines `fetch`, if there is one. One line. */
  prelude: string;
  modules: Sources;
  tools: Map<string, ConnectorTool>;
}

const OPTIONS = { connectors: 'list', store: 'text', ctx: 'any', executor: 'any', name: 'text', maxExecutions: 'count', transformResult: 'function', timeout: 'milliseconds' } as const;

/** The states of an execution that has ended. */
const ENDED = new Set<ListedExecution['status']>(['completed', 'failed', 'rejected', 'rolled_back', 'unreadable']);

/** How to continue an execution that is not over. */
const GO_ON = 'call `resume({ executionId })` of the runtime later';

/** Creates the runtime. Its connectors are asked when it is first used. */
export function createCodemodeRuntime(options: CreateCodemodeRuntimeOptions): CodemodeRuntimeHandle {
  return new CodemodeRuntimeHandle(options);
}

export class CodemodeRuntimeHandle {
  readonly #options: CreateCodemodeRuntimeOptions;
  readonly #name: string;
  #ready: Promise<Connected> | undefined;

  constructor(options: CreateCodemodeRuntimeOptions) {
    checkOptions('createCodemodeRuntime', options, OPTIONS);
    const { connectors, name = 'default' } = options ?? {};
    check('createCodemodeRuntime: `connectors`', connectors, 'list');
    if (!/^[\w.-]+$/.test(name)) throw new TypeError(`createCodemodeRuntime: \`name\` is ${shown(name)}; expected letters, digits, _, - and .`);
    const names = connectors.map((connector) => {
      if (typeof connector?.name !== 'function') throw new TypeError(`createCodemodeRuntime: a connector is ${shown(connector)}; expected a CodemodeConnector`);
      return connector.name();
    });
    for (const [at, one] of names.entries()) {
      if (sanitizeToolName(one) !== one || one === 'codemode' || one === 'tools' || names.indexOf(one) !== at) {
        throw new TypeError(`createCodemodeRuntime: the name of a connector is ${shown(one)}; expected an identifier that no other has, and neither codemode nor tools`);
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
        'Wrap other work with effects in `codemode.step(name, fn)`. Run saved code with `codemode.run(name, input)`. Calls that need approval pause the program.';
    return { description, inputSchema: CODE_INPUT, execute: ({ code }: ProxyToolInput) => this.#run(code) } as unknown as Tool<ProxyToolInput, ProxyToolOutput>;
  }

  /** Approves the pending calls of a paused execution, and continues it. */
  async approve({ executionId }: { executionId: string }): Promise<ProxyToolOutput> {
    const { isobox } = await this.#start();
    const found = await this.#find(executionId);
    if (found === undefined) return { status: 'error', executionId, error: `No execution "${executionId}" to resume.` };
    if (found.outcome?.status !== 'paused') return { status: 'error', executionId, error: `Execution "${executionId}" is not paused (status: ${found.status}); only a paused run can be approved.` };
    const missing = this.#missing(readProgram(found.files[found.entry] ?? '').connectors);
    if (missing.length > 0) return { status: 'error', executionId, error: requires(executionId, missing) };
    const { revision } = found.outcome;
    return this.#output(executionId, () => isobox.executions.approve(executionId, { revision }));
  }

  /** Continues an execution that is not over and that no process runs: its process has died, or its store failed. Approves nothing. */
  async resume({ executionId }: { executionId: string }): Promise<ProxyToolOutput> {
    const { isobox } = await this.#start();
    const found = await this.#find(executionId);
    const isOver = found === undefined || ENDED.has(found.status);
    const missing = isOver ? [] : this.#missing(readProgram(found.files[found.entry] ?? '').connectors);
    if (missing.length > 0) return { status: 'error', executionId, error: requires(executionId, missing) };
    return this.#output(executionId, () => isobox.executions.resume(executionId, { onlyIfDecided: true }));
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
    const outcome = await isobox.executions.rollback(executionId);
    // Throws: the rollback is not over.
    if (outcome.status === 'interrupted') unwrap(outcome);
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
    check('expirePaused: `maxAgeMs`', maxAgeMs, 'count');
    const { isobox } = await this.#start();
    const stale = (await this.#list()).filter(({ status, updated }) => !ENDED.has(status) && updated < Date.now() - maxAgeMs);
    const expired: string[] = [];
    for (const { id, status } of stale) {
      const isRunning = status === 'running' || status === 'orphaned';
      try {
        await (isRunning ? isobox.executions.cancel(id, { reason: 'expired while running' }) : isobox.executions.reject(id, { reason: 'expired awaiting approval' }));
      } catch (error) {
        // It has ended meanwhile, or another process has it.
        if (error instanceof IsoboxError) continue;
        throw error;
      }
      await this.#ended(id, isRunning ? 'error' : 'rejected');
      expired.push(id);
    }
    return expired;
  }

  /** Returns records of executions, newest first. */
  async executions(limit = DEFAULT_MAX_EXECUTIONS): Promise<ExecutionState[]> {
    check('executions: `limit`', limit, 'count');
    const { tools } = await this.#start();
    const listed = (await this.#list()).slice(0, limit);
    const states = await Promise.all(
      listed.map(async ({ id, created, updated }) => {
        const found = await this.#find(id);
        return found && stateOf(found, { createdAt: created, updatedAt: updated, tools });
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
    check('pruneExecutions: `keep`', keep, 'count');
    const { isobox } = await this.#start();
    const older = (await this.#list()).filter(({ status }) => ENDED.has(status)).slice(keep);
    for (const { id } of older) await isobox.executions.delete(id).catch(ignoreMissing);
    return older.length;
  }

  /** Saves the code of an execution under a name, in place of what had the name. Programs run it with `codemode.run(name, input)`. */
  async saveSnippet(name: string, options: SaveSnippetOptions): Promise<Snippet> {
    check('saveSnippet: `name`', name, 'someText');
    checkOptions('saveSnippet', options, { description: 'text', inputSchema: 'any', executionId: 'someText' });
    const { executionId, description = '', inputSchema } = options ?? {};
    check('saveSnippet: `executionId`', executionId, 'someText');
    const { isobox } = await this.#start();
    if ((await this.#find(executionId)) === undefined) throw new Error(`No execution "${executionId}" to save from`);
    const saved = await isobox.snippets.save(this.#key(name), { from: executionId, force: true, description, ...(inputSchema !== undefined && { inputSchema: inputSchema as Schema }) });
    return snippetOf(name, saved);
  }

  /** Returns the saved snippets, by name. */
  async snippets(): Promise<Snippet[]> {
    const { isobox } = await this.#start();
    const scope = scopeOf(this.#name);
    const keys = (await isobox.snippets.list()).map(({ name }) => name).filter((name) => name.startsWith(scope));
    const found = await Promise.all(keys.map(async (key) => snippetOf(decode(key.slice(scope.length)), await isobox.snippets.get(key))));
    return found.sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** Deletes a snippet. Returns whether it was there. */
  async deleteSnippet(name: string): Promise<boolean> {
    check('deleteSnippet: `name`', name, 'someText');
    const { isobox } = await this.#start();
    try {
      await isobox.snippets.delete(this.#key(name));
      return true;
    } catch (error) {
      ignoreMissing(error);
      return false;
    }
  }

  /** Returns the name of a snippet in the store. */
  #key(name: string): string {
    const key = scopeOf(this.#name) + encode(name);
    if (key.length > 64) throw new TypeError(`the name of a snippet is ${shown(name)}; expected a shorter one: with the name of the runtime, and four characters for each that is no letter or digit, 64 are the most`);
    return key;
  }

  async #run(code: string): Promise<ProxyToolOutput> {
    if (typeof code !== 'string' || code.length > MAX_DURABLE_VALUE_BYTES) {
      return { status: 'error', executionId: '', error: typeof code === 'string' ? `The code has ${code.length} characters; ${MAX_DURABLE_VALUE_BYTES} are the most` : `The code is ${shown(code)}; expected a program` };
    }
    const { isobox, prelude, modules } = await this.#start();
    await this.pruneExecutions(this.#options.maxExecutions);
    const program = programOf(code, { connectors: this.#names(), scope: scopeOf(this.#name), prelude });
    const run = isobox.start(programWith(modules, program), { details: { inputs: true, outputs: true }, label: { function: this.#name } });
    return this.#output(run.id, () => run.outcome);
  }

  #names(): string[] {
    return this.#options.connectors.map((connector) => connector.name());
  }

  /** Returns the connectors that are needed and not there. */
  #missing(needed: string[] = []): string[] {
    const names = this.#names();
    return needed.filter((name) => !names.includes(name)).map((name) => `"${name}"`);
  }

  /** Waits for an outcome, calls the hooks of connectors, and returns what the model sees. */
  async #output(executionId: string, outcome: () => Promise<Outcome | null>): Promise<ProxyToolOutput> {
    let ended: Outcome | null;
    try {
      ended = await outcome();
    } catch (error) {
      return { status: 'error', executionId, error: failureOf(error, executionId, GO_ON) };
    }
    if (ended === null) return { status: 'error', executionId, error: elsewhere(executionId, GO_ON) };
    const logs = ended.logs.map(lineOf);
    const said = logs.length > 0 ? { logs } : {};
    if (ended.status === 'paused') {
      await this.#passEnded(executionId, 'paused');
      return { status: 'paused', executionId, pending: pendingOf(ended) };
    }
    if (ended.status === 'interrupted') {
      await this.#passEnded(executionId, 'error');
      return { status: 'error', executionId, error: interruption(ended, GO_ON), ...said };
    }
    await this.#ended(executionId, ended.status === 'completed' ? 'completed' : 'error');
    if (ended.status !== 'completed') return { status: 'error', executionId, error: ('error' in ended ? ended.error?.message : undefined) ?? ended.status, ...said };
    return { status: 'completed', executionId, result: await this.#transformed(ended.result), ...said };
  }

  /** Reshapes a result. If that fails, the program has completed all the same. */
  async #transformed(result: unknown): Promise<unknown> {
    const { transformResult } = this.#options;
    try {
      return transformResult === undefined ? result : await transformResult(result);
    } catch (error) {
      console.warn('isobox: transformResult failed; the model gets the result as it is', error);
      return result;
    }
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

  async #list(states: ('paused' | 'decided')[] = []): Promise<ListedExecution[]> {
    const { isobox } = await this.#start();
    const found: ListedExecution[] = [];
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
    const { connectors, store = 'memory', executor } = this.#options;
    const { limits, modules = { named: {}, files: {} }, outbound } = settingsOf(executor) ?? {};
    const timeout = this.#options.timeout ?? limits?.timeout ?? 60_000;
    const { prelude, tools: fetches } = outboundOf(outbound);
    const namespaces: Tools = { ...fetches };
    const tools = new Map<string, ConnectorTool>();
    for (const connector of connectors) {
      const resolved = await connector.resolved();
      namespaces[connector.name()] = Object.fromEntries(Object.entries(resolved).map(([name, tool]) => [name, optionsOf(tool)]));
      for (const [name, tool] of Object.entries(resolved)) tools.set(`${connector.name()}.${name}`, tool);
    }
    const isobox = new Isobox({ tools: namespaces, modules: modules.named, store, checks: 'off', limits: { timeout, cpu: timeout, ...(limits && { memory: limits.memory }) } });
    return { isobox, tools, modules, prelude };
  }
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof IsoboxError && error.code === 'NOT_FOUND')) throw error;
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

function requires(executionId: string, connectors: readonly string[]): string {
  return `Execution "${executionId}" requires connector(s) ${connectors.join(', ')} that are not configured on this runtime.`;
}
