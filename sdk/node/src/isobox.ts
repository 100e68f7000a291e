// The runtime.

import { fileURLToPath } from 'node:url';

import type { Hooks } from './calls';
import { check, checkOptions } from './check';
import { Engine } from './engine';
import { type CallDecision, Executions, type Principal, checkDecision, principal } from './executions';
import { Events, Execution, newExecutionId } from './handle';
import { type Limits, type Size, readLimits } from './limits';
import { type ModuleOptions, readModules } from './modules';
import type { ExecutionEvent, Finding, Outcome, Paused, Plan } from './outcome';
import { type Files, sourceOf } from './program';
import { type RunOptions, checkRunOptions, runRequest } from './run-options';
import { shown } from './schema';
import { Sessions } from './sessions';
import { Snippets } from './snippets';
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
  /** The rules over the syntax of programs, as in `isobox.json`: `[{ deny: 'syntax', names: ['while'] }]`. */
  rules?: SyntaxRule[];
  /** The modules that programs may import, by specifier. */
  modules?: Record<string, ModuleOptions>;
  /** How values are checked against schemas, as in `isobox.json`. */
  validation?: { outputs?: 'off' | 'warn' | 'enforce'; defaults?: 'ignore' | 'fill' };
  /** From how many successes snippets are trusted. */
  snippets?: { provisional?: number; trusted?: number };
  /** The bounds of sessions whose globals programs use. */
  sessions?: { most?: number; versions?: number; whenFull?: 'forget' | 'refuse' };
  /** Whether and how the types of results are learned, as in `isobox.json`. */
  experience?: { enabled?: boolean; enums?: string[]; readOnly?: string[] };
  /** Whether principals may decide about calls of their own executions. The default is `allow`. */
  ownDecisions?: 'allow' | 'deny';
  /** Whether rules and settings that match no tool are an error. The default is false: they are `warnings()`. */
  strict?: boolean;
  /** The locale of programs. The default is `en-US`. */
  locale?: string;
  /** The time zone of programs. The default is `UTC`. */
  timeZone?: string;
  /** The maximum number of live executions. The default is 2,048. Each takes 4 GiB of address space, and memory only as it needs it. */
  maxLive?: number;
  /** The durations of leases. They have to be the same for all processes that share a store. */
  timing?: TimingOptions;
  /** How paused programs are sealed with `stateless: true`. */
  continuations?: ContinuationOptions;
  /** The variables for `${NAME}` in `config`. The default is `process.env`. */
  environment?: Record<string, string | undefined>;
}

/** A rule over the syntax of programs. It either allows or denies. */
export type SyntaxRule = ({ allow: SyntaxSubject } | { deny: SyntaxSubject }) & { names: string[]; message?: string };

/** What a rule over the syntax is about. */
export type SyntaxSubject = 'globals' | 'members' | 'syntax' | 'imports';

/** The durations of leases and heartbeats, in milliseconds. */
export interface TimingOptions {
  /** The time after its last heartbeat at which a process is considered dead, and others resume its executions. The default is 30 s. */
  leaseMs?: number;
  /** The interval between heartbeats. The default is 10 s. */
  heartbeatMs?: number;
  /** The last part of a lease, in which no call starts. The default is 5 s. */
  marginMs?: number;
  /** The time for which a running execution retries after a failure of the store. The default is 30 s. */
  outageMs?: number;
  /** The time after the start of a call during which a person may not say that it did not happen. By default the lease and the time left. */
  doubtMs?: number;
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

const OPTIONS = {
  tools: 'object',
  config: 'any',
  policy: 'list',
  checks: 'checks',
  limits: 'object',
  store: 'any',
  fetch: 'object',
  rules: 'list',
  modules: 'object',
  validation: 'object',
  snippets: 'object',
  sessions: 'object',
  experience: 'object',
  ownDecisions: 'ownDecisions',
  strict: 'truth',
  locale: 'text',
  timeZone: 'text',
  maxLive: 'positive',
  timing: 'object',
  continuations: 'object',
  environment: 'object',
  approve: 'function',
  onError: 'function',
} as const;

/** The sections that are objects, with the tests of their options. */
const SECTIONS = {
  validation: { outputs: 'outputChecks', defaults: 'schemaDefaults' },
  snippets: { provisional: 'count', trusted: 'count' },
  sessions: { most: 'count', versions: 'positive', whenFull: 'whenFull' },
  experience: { enabled: 'truth', enums: 'texts', readOnly: 'texts' },
} as const;

const TIMING = { leaseMs: 'count', heartbeatMs: 'count', marginMs: 'count', outageMs: 'count', doubtMs: 'count' } as const;

const CONTINUATIONS = { secret: 'text', earlier: 'list', audience: 'text', lifetimeMs: 'count', limit: 'size' } as const;

/** A runtime: a sandbox, tools and limits. */
export class Isobox implements AsyncDisposable {
  readonly #engine: Engine;
  /** The durable executions of the store. */
  readonly executions: Executions;
  /** The programs of the store that are saved under a name. */
  readonly snippets: Snippets;
  /** The globals that programs of a session leave for each other. */
  readonly sessions: Sessions;

  constructor(options: IsoboxOptions = {}) {
    checkOptions('new Isobox(options)', options, OPTIONS);
    const { tools = {}, approve, onError } = options;
    this.#engine = new Engine(nativeOptions(options), prepare(tools, '`tools`'), { approve, onError });
    this.executions = new Executions(this.#engine);
    this.sessions = new Sessions(this.#engine);
    this.snippets = new Snippets(this.#engine, <T>(name: string, input: unknown, given: RunOptions) => {
      const what = { snippet: { name, input: input ?? null } };
      return this.#start<T>('snippets.run', what, given, given?.onEvent).promise;
    });
  }

  /** Runs a program: its text, or its files by path. Failures of the program are outcomes, never rejections. */
  run<T = unknown>(program: string | Files, options: RunOptions = {}): Promise<Outcome<T>> {
    return this.#start<T>('run', { program: sourceOf('run', program, options?.entry) }, options, options?.onEvent).promise;
  }

  /** Starts a program, and returns at once with its ID, its events and its outcome. */
  start<T = unknown>(program: string | Files, options: RunOptions = {}): Execution<T> {
    checkRunOptions('start', options);
    const events = new Events();
    const id = options.id ?? newExecutionId();
    const what = { program: sourceOf('start', program, options.entry) };
    const { promise, cancel } = this.#start<T>('start', what, { ...options, id }, options.onEvent, events);
    const close = (): void => events.close();
    promise.then(close, close);
    return new Execution(id, promise, cancel, events);
  }

  /** Runs a program with its effects held back, and lists the calls that it would make. Only tools that only read are called. */
  plan<T = unknown>(program: string | Files, options: Omit<RunOptions, 'durable' | 'stateless' | 'id'> = {}): Promise<Plan<T>> {
    checkRunOptions('plan', options);
    const what = { program: sourceOf('plan', program, options.entry) };
    const request = { ...runRequest('plan', options), what, keep: 'plan' };
    const { definitions, release } = this.#engine.lend(prepare(options.tools ?? {}, '`tools`'));
    return this.#engine.run<Plan<T>>({ ...request, tools: definitions }, { signal: options.signal, release }).promise;
  }

  /** Checks a program without running it. Returns everything that is wrong with it. A program that does not parse rejects with `SYNTAX`. */
  check(program: string | Files, options: { entry?: string; roles?: string[] } = {}): Promise<Finding[]> {
    checkOptions('check', options, { entry: 'text', roles: 'texts' });
    const { entry, roles = [] } = options;
    return this.#engine.request<Finding[]>({ method: 'check', program: sourceOf('check', program, entry), roles }).promise;
  }

  #start<T>(
    name: string,
    what: object,
    options: RunOptions,
    onEvent: RunOptions['onEvent'],
    events?: Events,
  ): { promise: Promise<Outcome<T>>; cancel: () => void } {
    const request = runRequest(name, options);
    request['what'] = what;
    if (onEvent !== undefined || events !== undefined) request['events'] = options.events ?? 'values';
    if (options.tools === undefined) return this.#engine.run<Outcome<T>>(request, { signal: options.signal, onEvent, events });
    const { definitions, release } = this.#engine.lend(prepare(options.tools, '`tools`'));
    request['tools'] = definitions;
    return this.#engine.run<Outcome<T>>(request, { signal: options.signal, onEvent, events, release });
  }

  /**
   * Continues a program that was paused with `stateless: true`. `paused` is its outcome, or what the host kept of it: the decisions are about this
   * execution at this revision, and the continuation of another one is refused with `CONFLICT`. A decision about all pending calls may be one word.
   */
  continue<T = unknown>(
    paused: Pick<Paused, 'continuation' | 'executionId' | 'revision'>,
    decisions: CallDecision[] | 'approve' | 'deny',
    options: { by?: Principal; tools?: Tools; signal?: AbortSignal; onEvent?: (event: ExecutionEvent) => void } = {},
  ): Promise<Outcome<T>> {
    check('continue: `paused`', paused, 'object');
    const { continuation, executionId, revision } = paused;
    check('continue: `paused.continuation`', continuation, 'someText');
    check('continue: `paused.executionId`', executionId, 'executionId');
    check('continue: `paused.revision`', revision, 'count');
    if (decisions !== 'approve' && decisions !== 'deny') {
      check('continue: `decisions`', decisions, 'list');
      for (const decision of decisions) checkDecision('continue', decision);
    }
    checkOptions('continue', options, { by: 'principal', tools: 'object', signal: 'signal', onEvent: 'function' });
    const { onEvent, signal } = options;
    const { definitions, release } = this.#engine.lend(prepare(options.tools ?? {}, '`tools`'));
    const request: Record<string, unknown> = { method: 'continue', continuation, executionId, revision, verdicts: decisions, tools: definitions };
    if (options.by !== undefined) request['by'] = principal(options.by);
    if (onEvent !== undefined) request['events'] = 'values';
    return this.#engine.request<Outcome<T>>(request, { signal, onEvent, release }).promise;
  }

  /** Finds the tools and snippets that fit a query best. */
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
  results: { path: string; description: string; kind: string; score: number; requiresApproval: boolean; conditions?: string[]; signature?: string }[];
  total: number;
  truncated: boolean;
  problem?: string;
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
  const { config, limits, store, modules, maxLive, timing, continuations, environment = process.env } = options;
  const isPath = typeof config === 'string' || config instanceof URL;
  if (config !== undefined && !isPath && (typeof config !== 'object' || config === null || Array.isArray(config))) {
    throw new TypeError(`new Isobox(options): \`config\` is ${shown(config)}; expected a path, a URL or an object`);
  }
  if (store !== undefined && typeof store !== 'string' && (typeof store !== 'object' || store === null)) {
    throw new TypeError(`new Isobox(options): \`store\` is ${shown(store)}; expected a text like "sqlite:isobox.db", or an object`);
  }
  checkOptions('new Isobox(options): `timing`', timing, TIMING);
  checkOptions('new Isobox(options): `continuations`', continuations, CONTINUATIONS);
  for (const [key, shape] of Object.entries(SECTIONS)) {
    checkOptions(`new Isobox(options): \`${key}\``, options[key as keyof typeof SECTIONS], shape);
  }
  const settings: Record<string, unknown> = isPath ? {} : { ...(config as object) };
  const { policy, checks, fetch, rules, validation, snippets, sessions, experience, ownDecisions, strict, locale, timeZone } = options;
  const own = readModules('new Isobox(options): `modules`', modules ?? {});
  const replaced = {
    ...{ policy, checks, store, fetch, rules, validation, snippets, sessions, experience, ownDecisions, strict, locale, timeZone },
    limits: limits && readLimits('new Isobox(options): `limits`', limits),
    modules: modules && own.files,
  };
  for (const [key, value] of Object.entries(replaced)) if (value !== undefined) settings[key] = value;
  const native: Record<string, unknown> = { settings, environment, approves: options.approve !== undefined };
  if (isPath) native['file'] = config instanceof URL ? fileURLToPath(config) : config;
  if (own.contents.length > 0) native['modules'] = own.contents;
  if (maxLive !== undefined) native['maxLive'] = maxLive;
  if (timing !== undefined) native['timing'] = timing;
  if (continuations !== undefined) native['continuations'] = continuations;
  return native;
}
