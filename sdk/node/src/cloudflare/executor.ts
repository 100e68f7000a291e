// An `Executor` of Cloudflare's code mode that runs programs in Isobox.

import { FETCH_PRELUDE, FETCH_TOOL, type FetchRequest, readResponse } from '../ai/fetch';
import { checkOptions } from '../check';
import { HIGHEST } from '../highest';
import { Isobox } from '../isobox';
import type { Log } from '../outcome';
import { shown } from '../schema';
import { type ToolContext, ToolError, type ToolOptions } from '../tool';
import { body, normalizeCode } from './code';
import { type Sources, programWith, readSources } from './modules';
import { sanitizeToolName } from './utilities';

export interface ExecuteResult {
  result: unknown;
  error?: string;
  logs?: string[];
}

export interface ResolvedProvider {
  name: string;
  fns: Record<string, (...args: any[]) => Promise<unknown>>;
  prelude?: string;
}

export interface ConnectorBinding {
  name: string;
  binding: { callTool(method: string, args: unknown): Promise<unknown> };
}

export interface ExecuteOptions {
  connectors?: ConnectorBinding[];
}

export interface Executor {
  execute(
    code: string,
    providersOrFns: ResolvedProvider[] | Record<string, (...args: any[]) => Promise<unknown>>,
    options?: ExecuteOptions,
  ): Promise<ExecuteResult>;
}

/** What a Worker calls an outbound `Fetcher`: anything with `fetch`. */
export interface Fetcher {
  fetch(input: any, init?: any): Promise<Response>;
}

export interface IsoboxExecutorOptions {
  /** The maximum time of an execution, in milliseconds. The default is 60,000. */
  timeout?: number;
  /** The maximum memory, in bytes. The default is 128 MiB. */
  memory?: number;
  /** The sources of modules by their specifiers, which programs import with `await import("…")`. */
  modules?: Record<string, string>;
  /** Receives the requests that programs make with `fetch`. Without it, there is no `fetch`. */
  globalOutbound?: Fetcher | null;
  /** Accepted, and ignored: there is no Worker. */
  loader?: unknown;
  /** Has to be empty: give programs tools. */
  bindings?: Record<string, never>;
}

let shared: Isobox | undefined;

/** Names that a namespace must not have. */
const TAKEN = new Set(['tools', 'console', 'globalThis', 'Promise', 'Proxy', 'Error', 'setTimeout', 'fetch', 'NaN', 'Infinity']);

/** The checked options of an executor. */
export interface ExecutorSettings {
  limits: { timeout: number; cpu: number; memory: number };
  modules: Sources;
  outbound: Fetcher | undefined;
}

const settings = new WeakMap<object, ExecutorSettings>();

/** Returns the settings of an executor of this package. */
export function settingsOf(executor: unknown): ExecutorSettings | undefined {
  return typeof executor === 'object' && executor !== null ? settings.get(executor) : undefined;
}

/** Runs programs in Isobox. Failures are in the result, never thrown. */
export class IsoboxExecutor implements Executor {
  readonly #settings: ExecutorSettings;
  /** A runtime of its own, if there are modules. */
  #own: Isobox | undefined;

  constructor(options: IsoboxExecutorOptions = {}) {
    const owner = 'new IsoboxExecutor(options)';
    checkOptions(owner, options, { timeout: 'any', memory: 'any', modules: 'any', globalOutbound: 'any', loader: 'any', bindings: 'object' });
    const { timeout = 60_000, memory = 128 * 1024 * 1024, modules = {}, globalOutbound, bindings = {} } = options;
    for (const [key, value] of Object.entries({ timeout, memory })) {
      if (!Number.isFinite(value) || value <= 0) throw new TypeError(`${owner}: \`${key}\` is ${shown(value)}; expected a number above 0`);
    }
    if (globalOutbound !== undefined && globalOutbound !== null && typeof globalOutbound.fetch !== 'function') {
      throw new TypeError(`${owner}: \`globalOutbound\` is ${shown(globalOutbound)}; expected null, or an object with the method fetch`);
    }
    if (Object.keys(bindings).length > 0) throw new TypeError(`${owner}: \`bindings\` is ${shown(bindings)}; expected nothing: give programs tools instead`);
    this.#settings = { limits: { timeout, cpu: timeout, memory }, modules: readSources(owner, modules), outbound: globalOutbound ?? undefined };
    settings.set(this, this.#settings);
  }

  async execute(
    code: string,
    providersOrFns: ResolvedProvider[] | Record<string, (...args: any[]) => Promise<unknown>>,
    options: ExecuteOptions = {},
  ): Promise<ExecuteResult> {
    const providers = Array.isArray(providersOrFns) ? providersOrFns : [{ name: 'codemode', fns: providersOrFns }];
    const { limits, modules, outbound } = this.#settings;
    try {
      const namespaces = namespacesOf(providers, options.connectors ?? []);
      const tools = Object.fromEntries([...namespaces].map(([name, tool]) => [`__${name}`, tool]));
      const preludes = providers.map(({ prelude = '' }) => (prelude === '' ? '' : `${prelude}\n`));
      const fetches = outboundOf(outbound);
      const program = [fetches.prelude, ...[...namespaces.keys()].map(proxy), ...preludes, body(code)].join('');
      const outcome = await this.#runtime().run(programWith(modules, program), { tools: { ...tools, ...fetches.tools }, limits, durable: false });
      const logs = outcome.logs.map(lineOf);
      const said = logs.length > 0 ? { logs } : {};
      if (outcome.status === 'completed') return { result: outcome.result, ...said };
      return { result: undefined, error: outcome.status === 'failed' ? outcome.error.message : `unexpected status ${outcome.status}`, ...said };
    } catch (error) {
      return { result: undefined, error: error instanceof Error ? error.message : String(error) };
    }
  }

  #runtime(): Isobox {
    const { named } = this.#settings.modules;
    if (Object.keys(named).length === 0) return (shared ??= new Isobox({ limits: HIGHEST, checks: 'off' }));
    return (this.#own ??= new Isobox({ modules: named, limits: HIGHEST, checks: 'off' }));
  }
}

/** Returns the tool behind each namespace. Throws if a name is not one. */
function namespacesOf(providers: ResolvedProvider[], connectors: ConnectorBinding[]): Map<string, ToolOptions<any, any>> {
  const namespaces = new Map<string, ToolOptions<any, any>>();
  const checkName = (kind: string, name: string): void => {
    if (TAKEN.has(name)) throw new Error(`${kind} name "${name}" is reserved`);
    if (typeof name !== 'string' || sanitizeToolName(name) !== name) throw new Error(`${kind} name "${name}" is not a valid JavaScript identifier`);
  };
  for (const { name, fns } of providers) {
    checkName('Provider', name);
    if (namespaces.has(name)) throw new Error(`Duplicate provider name "${name}"`);
    namespaces.set(name, dispatcher(name, fns));
  }
  for (const { name, binding } of connectors) {
    checkName('Connector', name);
    if (namespaces.has(name)) throw new Error(`Duplicate name "${name}" (connector clashes with provider)`);
    namespaces.set(name, { execute: ({ m, a }) => safely(() => binding.callTool(m, a[0])) });
  }
  return namespaces;
}

/** Defines a namespace whose functions take any arguments. */
function proxy(name: string): string {
  return `const ${name}=new Proxy({},{get:(_,m)=>typeof m==="string"&&m!=="then"&&m!=="toJSON"?async(...a)=>{try{return await tools.__${name}({m,a})}catch(e){throw new Error(e.message)}}:undefined});`;
}

/** The most that a program may read of one response. */
const MAXIMUM_RESPONSE = 10 * 1024 * 1024;

/** Returns the tool behind `fetch` and its definition in a program, if requests may go anywhere. */
export function outboundOf(outbound: Fetcher | undefined): { prelude: string; tools: Record<string, ToolOptions<any, any>> } {
  if (outbound === undefined) return { prelude: '', tools: {} };
  const execute = ({ url, method, headers, body: text }: FetchRequest, { signal }: ToolContext): Promise<unknown> =>
    safely(async () => {
      const response = await outbound.fetch(url, { method, headers: Object.fromEntries(headers), signal, ...(text !== undefined && { body: text }) });
      return readResponse({ maxResponseBytes: MAXIMUM_RESPONSE }, response, url);
    });
  return { prelude: FETCH_PRELUDE, tools: { [FETCH_TOOL]: { execute } } };
}

/** Calls functions by their names as identifiers. */
function dispatcher(provider: string, fns: ResolvedProvider['fns']): ToolOptions<any, any> {
  const sources = new Map<string, string>();
  for (const name of Object.keys(fns)) {
    const identifier = sanitizeToolName(name);
    const other = sources.get(identifier);
    if (other !== undefined) throw new Error(`Tool names "${other}" and "${name}" both sanitize to "${identifier}" in provider "${provider}"`);
    sources.set(identifier, name);
  }
  return {
    execute: ({ m, a }: { m: string; a: unknown[] }) => {
      const fn = fns[sources.get(m) ?? ''];
      if (fn === undefined) throw new ToolError(`Tool "${m}" not found`);
      return safely(() => fn(...a));
    },
  };
}

/** Calls functions by name with arguments and results as JSON, as the RPC of Workers does. */
export class ToolDispatcher {
  readonly #fns: Record<string, (...args: any[]) => Promise<unknown>>;

  constructor(fns: Record<string, (...args: any[]) => Promise<unknown>>) {
    this.#fns = fns;
  }

  /** Returns `{ result }` or `{ error }` as JSON. */
  async call(name: string, argsJson?: string): Promise<string> {
    const fn = Object.hasOwn(this.#fns, name) ? this.#fns[name] : undefined;
    if (fn === undefined) return JSON.stringify({ error: `Tool "${name}" not found` });
    try {
      const args: unknown = argsJson ? JSON.parse(argsJson) : [];
      return JSON.stringify({ result: await fn(...(Array.isArray(args) ? args : [args])) });
    } catch (error) {
      return JSON.stringify({ error: error instanceof Error ? error.message : String(error) });
    }
  }
}

/** Passes on the message of an error. */
async function safely(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    throw new ToolError(error instanceof Error ? error.message : String(error));
  }
}

export function lineOf({ level, message }: Log): string {
  return level === 'warn' || level === 'error' ? `[${level}] ${message}` : message;
}

/** Runs code, and throws with the console output if it fails. */
export async function runCode(options: {
  code: string;
  executor: Executor;
  providers: ResolvedProvider[];
  connectors?: ConnectorBinding[];
}): Promise<{ result: unknown; logs?: string[] }> {
  const { code, executor, providers, connectors } = options;
  const { result, error, logs } = await executor.execute(settings.has(executor) ? code : normalizeCode(code), providers, connectors?.length ? { connectors } : undefined);
  if (error) throw new Error(`Code execution failed: ${error}${logs?.length ? `\n\nConsole output:\n${logs.join('\n')}` : ''}`);
  return logs?.length ? { result, logs } : { result };
}
