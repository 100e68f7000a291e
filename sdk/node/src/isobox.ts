// The runtime.

import { fileURLToPath } from 'node:url';

import type { Hooks } from './calls';
import { check, checkOptions } from './check';
import { Engine } from './engine';
import { type CallDecision, Executions, type Principal, principal } from './executions';
import { Events, Execution, newExecutionId } from './handle';
import { type Limits, type Size, readLimits } from './limits';
import type { ExecutionEvent, Outcome, Plan } from './outcome';
import { shown } from './schema';
import { type Tools, prepare } from './tool';

/** The options of a runtime. */
export interface IsoboxOptions extends Hooks {
  /** Tools by name, nested in namespaces by plain objects. */
  tools?: Tools;
  /** The path of an `isobox.json`, or its content: MCP servers, OpenAPI documents, policy, limits … */
  config?: string | URL | Record<string, unknown>;
  /** The rules of the policy, in place of those of `config`. */
  policy?: Record<string, unknown>[];
  /** Whether programs are checked before they run. The default is `errors`. */
  checks?: 'off' | 'warnings' | 'errors';
  /** The limits of every execution, in place of those of `config`. */
  limits?: Limits;
  /** The store of durable executions: `sqlite:PATH`, `postgres://…`, `memory` or `none`. */
  store?: string | Record<string, unknown>;
  /** The requests that programs may make with `fetch`, as in `isobox.json`. */
  fetch?: Record<string, unknown>;
  /** The locale of programs. The default is `en-US`. */
  locale?: string;
  /** The time zone of programs. The default is `UTC`. */
  timeZone?: string;
  /** The maximum number of live executions. The default is 2,048. Each takes 4 GiB of address space, and memory only as it needs it. */
  maxLive?: number;
  /** How paused programs are sealed with `stateless: true`. */
  continuations?: ContinuationOptions;
  /** The variables for `${NAME}` in `config`. The default is `process.env`. */
  environment?: Record<string, string | undefined>;
}

/** How continuations are sealed. */
export interface ContinuationOptions {
  /** A secret of at least 32 bytes. By default a random one, which only this process has. */
  secret?: string;
  /** Earlier secrets, each accepted until a time in milliseconds. */
  earlier?: { secret: string; until: number }[];
  /** Continuations for other audiences are refused. */
  audience?: string;
  /** The default is one hour. */
  lifetimeMs?: number;
  /** The maximum size. The default is 1 MiB. */
  limit?: Size;
}

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
  /** Whether the program finds the globals that the last program of its session left. */
  globals?: boolean;
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

const OPTIONS = {
  tools: 'object',
  config: 'any',
  policy: 'list',
  checks: 'text',
  limits: 'object',
  store: 'any',
  fetch: 'object',
  locale: 'text',
  timeZone: 'text',
  maxLive: 'positive',
  continuations: 'object',
  environment: 'object',
  approve: 'function',
  onError: 'function',
} as const;

const CONTINUATIONS = { secret: 'text', earlier: 'list', audience: 'text', lifetimeMs: 'count', limit: 'size' } as const;

const RUN = {
  entry: 'text',
  id: 'text',
  durable: 'truth',
  stateless: 'truth',
  limits: 'object',
  principal: 'principal',
  session: 'text',
  globals: 'truth',
  checks: 'text',
  details: 'object',
  label: 'object',
  seed: 'count',
  locale: 'text',
  timeZone: 'text',
  tools: 'object',
  signal: 'signal',
  events: 'text',
  onEvent: 'function',
} as const;

const ENTRIES = ['main.ts', 'main.js', 'index.ts', 'index.js'];

/** A runtime: a sandbox, tools and limits. */
export class Isobox implements AsyncDisposable {
  readonly #engine: Engine;
  /** The durable executions of the store. */
  readonly executions: Executions;

  constructor(options: IsoboxOptions = {}) {
    checkOptions('new Isobox(options)', options, OPTIONS);
    const { tools = {}, approve, onError } = options;
    this.#engine = new Engine(nativeOptions(options), prepare(tools, '`tools`'), { approve, onError });
    this.executions = new Executions(this.#engine);
  }

  /** Runs a program: its text, or its files by path. Failures of the program are outcomes, never rejections. */
  run<T = unknown>(program: string | Record<string, string>, options: RunOptions = {}): Promise<Outcome<T>> {
    return this.#start<T>('run', program, options, options.onEvent).promise;
  }

  /** Starts a program, and returns at once with its ID, its events and its outcome. */
  start<T = unknown>(program: string | Record<string, string>, options: RunOptions = {}): Execution<T> {
    const events = new Events();
    const id = options.id ?? newExecutionId();
    const onEvent = (event: ExecutionEvent): void => {
      events.add(event);
      options.onEvent?.(event);
    };
    const { promise, cancel } = this.#start<T>('start', program, { ...options, id }, onEvent);
    const close = (): void => events.close();
    promise.then(close, close);
    return new Execution(id, promise, cancel, events);
  }

  /** Runs a program with its effects held back, and lists the calls that it would make. Only tools that only read are called. */
  plan<T = unknown>(program: string | Record<string, string>, options: Omit<RunOptions, 'durable' | 'stateless' | 'id'> = {}): Promise<Plan<T>> {
    const { definitions, release } = this.#engine.lend(prepare(options.tools ?? {}, '`tools`'));
    const request = { ...runRequest('plan', program, options), keep: 'plan', tools: definitions };
    return this.#engine.run<Plan<T>>(request, { signal: options.signal, release }).promise;
  }

  #start<T>(
    name: string,
    program: string | Record<string, string>,
    options: RunOptions,
    onEvent: RunOptions['onEvent'],
  ): { promise: Promise<Outcome<T>>; cancel: () => void } {
    const request = runRequest(name, program, options);
    if (onEvent !== undefined) request['events'] = options.events ?? 'values';
    if (options.tools === undefined) return this.#engine.run<Outcome<T>>(request, { signal: options.signal, onEvent });
    const { definitions, release } = this.#engine.lend(prepare(options.tools, '`tools`'));
    return this.#engine.run<Outcome<T>>({ ...request, tools: definitions }, { signal: options.signal, onEvent, release });
  }

  /** Continues a program that was paused with `stateless: true`. A decision about all pending calls may be one word. */
  continue<T = unknown>(
    continuation: string,
    decisions: CallDecision[] | 'approve' | 'deny',
    options: { by?: Principal; tools?: Tools; signal?: AbortSignal; onEvent?: (event: ExecutionEvent) => void } = {},
  ): Promise<Outcome<T>> {
    check('continue: `continuation`', continuation, 'someText');
    if (decisions !== 'approve' && decisions !== 'deny') check('continue: `decisions`', decisions, 'list');
    checkOptions('continue', options, { by: 'principal', tools: 'object', signal: 'signal', onEvent: 'function' });
    const { onEvent, signal } = options;
    const { definitions, release } = this.#engine.lend(prepare(options.tools ?? {}, '`tools`'));
    const request: Record<string, unknown> = { method: 'continue', continuation, verdicts: decisions, tools: definitions };
    if (options.by !== undefined) request['by'] = principal(options.by);
    if (onEvent !== undefined) request['events'] = 'values';
    return this.#engine.request<Outcome<T>>(request, { signal, onEvent, release }).promise;
  }

  /** Finds the tools that fit a query best. */
  search(query: string, options: { limit?: number; roles?: string[] } = {}): Promise<SearchResults> {
    check('search: `query`', query, 'text');
    checkOptions('search', options, { limit: 'positive', roles: 'texts' });
    return this.#engine.request<SearchResults>({ method: 'search', query, limit: 10, ...options }).promise;
  }

  /** Returns the TypeScript declarations of a tool or a namespace. */
  describe(path: string, options: { tokens?: number; roles?: string[] } = {}): Promise<Described> {
    check('describe: `path`', path, 'text');
    checkOptions('describe', options, { tokens: 'positive', roles: 'texts' });
    return this.#engine.request<Described>({ method: 'describe', path, tokens: 3000, ...options }).promise;
  }

  /** Returns the TypeScript declarations of all tools. */
  types(options: { roles?: string[] } = {}): Promise<string> {
    checkOptions('types', options, { roles: 'texts' });
    return this.#engine.request<string>({ method: 'types', ...options }).promise;
  }

  /** Returns the description of the tool that runs programs, for a model. `{{types}}` and `{{example}}` are replaced in `template`. */
  briefing(options: { template?: string; declarations?: number; overview?: number; roles?: string[] } = {}): Promise<string> {
    checkOptions('briefing', options, { template: 'text', declarations: 'count', overview: 'count', roles: 'texts' });
    return this.#engine.request<string>({ method: 'briefing', ...options }).promise;
  }

  /** Returns the capacity for live executions and its use. Limits that are given are set first; an empty object resets them. */
  capacity(set?: { memory?: Size; live?: number; queue?: number }): Promise<Capacity> {
    checkOptions('capacity', set, { memory: 'size', live: 'count', queue: 'count' });
    return this.#engine.request<Capacity>({ method: 'capacity', ...(set && { set }) }).promise;
  }

  /** Returns warnings for the operator: servers that do not start, rules that match no tool, parts of `config` without effect. */
  warnings(): Promise<string[]> {
    return this.#engine.request<string[]>({ method: 'warnings' }).promise;
  }

  /** Stops everything. Open runs reject with `AbortedError`; durable ones can be resumed. Then stops the servers. */
  async close(): Promise<void> {
    await this.#engine.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Ranked tools. */
export interface SearchResults {
  results: { path: string; description: string; kind: string; score: number; requiresApproval: boolean; signature?: string }[];
  total: number;
  truncated: boolean;
}

/** A described tool or namespace. */
export interface Described {
  path: string;
  kind: string;
  description: string;
  types: string;
}

/** The capacity for live executions, and its use. */
export interface Capacity {
  limits: { memory: number; live: number; queue: number };
  usage: { memory: number; live: number; queued: number; evicted: number };
}

function nativeOptions(options: IsoboxOptions): Record<string, unknown> {
  const { config, policy, checks, limits, store, fetch, locale, timeZone, maxLive, continuations, environment = process.env } = options;
  const isPath = typeof config === 'string' || config instanceof URL;
  if (config !== undefined && !isPath && (typeof config !== 'object' || config === null || Array.isArray(config))) {
    throw new TypeError(`new Isobox(options): \`config\` is ${shown(config)}; expected a path, a URL or an object`);
  }
  if (store !== undefined && typeof store !== 'string' && (typeof store !== 'object' || store === null)) {
    throw new TypeError(`new Isobox(options): \`store\` is ${shown(store)}; expected a text like "sqlite:isobox.db", or an object`);
  }
  checkOptions('new Isobox(options): `continuations`', continuations, CONTINUATIONS);
  const settings: Record<string, unknown> = isPath ? {} : { ...(config as object) };
  const replaced = { policy, checks, store, fetch, locale, timeZone, limits: limits && readLimits('new Isobox(options): `limits`', limits) };
  for (const [key, value] of Object.entries(replaced)) if (value !== undefined) settings[key] = value;
  const native: Record<string, unknown> = { settings, environment, approves: options.approve !== undefined };
  if (isPath) native['file'] = config instanceof URL ? fileURLToPath(config) : config;
  if (maxLive !== undefined) native['maxLive'] = maxLive;
  if (continuations !== undefined) native['continuations'] = continuations;
  return native;
}

function runRequest(name: string, program: string | Record<string, string>, options: RunOptions): Record<string, unknown> {
  const request: Record<string, unknown> = {};
  if (typeof program === 'string') {
    request['code'] = program;
  } else {
    const isProgram = typeof program === 'object' && program !== null && !Array.isArray(program);
    if (!isProgram || !Object.values(program).every((source) => typeof source === 'string')) {
      throw new TypeError(`${name}: the program is ${shown(program)}; expected a text, or an object of texts by path`);
    }
    request['files'] = program;
    const entry = options.entry ?? ENTRIES.find((one) => one in program) ?? Object.keys(program)[0];
    if (entry === undefined || !(entry in program)) {
      throw new TypeError(`${name}: \`entry\` is ${shown(entry)}; expected one of ${Object.keys(program).join(', ') || 'the files, and there are none'}`);
    }
    request['entry'] = entry;
  }
  checkOptions(name, options, RUN);
  const { id, durable, stateless, limits, session, globals, checks, details, label, seed, locale, timeZone } = options;
  if (durable === true && stateless === true) {
    throw new TypeError(`${name}: \`durable\` and \`stateless\` are both true; expected at most one`);
  }
  if (stateless === true) request['keep'] = 'continuation';
  else if (durable !== undefined) request['keep'] = durable ? 'store' : 'nothing';
  if (limits !== undefined) request['limits'] = readLimits(`${name}: \`limits\``, limits);
  if (options.principal !== undefined) request['principal'] = principal(options.principal);
  if (details !== undefined) request['details'] = { inputs: false, outputs: false, ...details };
  if (locale !== undefined || timeZone !== undefined) request['region'] = { locale, timeZone };
  for (const [key, value] of Object.entries({ id, session, globals, checks, label, seed })) if (value !== undefined) request[key] = value;
  return request;
}
