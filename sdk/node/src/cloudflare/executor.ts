// An `Executor` of Cloudflare's code mode that runs programs in Isobox.

import { HIGHEST } from '../highest';
import { Isobox } from '../isobox';
import type { Log } from '../outcome';
import { shown } from '../schema';
import { ToolError, type ToolOptions } from '../tool';
import { isFunction, normalizeCode } from './utilities';

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

export interface IsoboxExecutorOptions {
  /** The maximum time of an execution, in milliseconds. The default is 60,000. */
  timeout?: number;
  /** The maximum memory, in bytes. The default is 128 MiB. */
  memory?: number;
}

let shared: Isobox | undefined;

/** Names that a namespace must not have. */
const TAKEN = new Set(['tools', 'console', 'globalThis', 'undefined', 'NaN', 'Infinity', 'arguments', 'eval', 'await']);

/** Runs programs in Isobox. Failures are in the result, never thrown. */
export class IsoboxExecutor implements Executor {
  readonly #limits: { timeout: number; cpu: number; memory: number };

  constructor({ timeout = 60_000, memory = 128 * 1024 * 1024 }: IsoboxExecutorOptions = {}) {
    for (const [key, value] of Object.entries({ timeout, memory })) {
      if (!Number.isFinite(value) || value <= 0) throw new TypeError(`new IsoboxExecutor(options): \`${key}\` is ${shown(value)}; expected a number above 0`);
    }
    this.#limits = { timeout, cpu: timeout, memory };
  }

  async execute(
    code: string,
    providersOrFns: ResolvedProvider[] | Record<string, (...args: any[]) => Promise<unknown>>,
    options: ExecuteOptions = {},
  ): Promise<ExecuteResult> {
    const providers = Array.isArray(providersOrFns) ? providersOrFns : [{ name: 'codemode', fns: providersOrFns }];
    const namespaces = new Map<string, ToolOptions<any, any>>();
    const preludes: string[] = [];
    const offer = (name: string, tool: ToolOptions<any, any>): string | undefined => {
      if (!/^[A-Za-z_$][\w$]*$/.test(name) || TAKEN.has(name)) return `Provider name "${name}" is not a valid namespace`;
      if (namespaces.has(name)) return `Duplicate provider name "${name}"`;
      namespaces.set(name, tool);
      return undefined;
    };
    for (const { name, fns, prelude } of providers) {
      const problem = offer(name, dispatcher(fns));
      if (problem !== undefined) return { result: undefined, error: problem };
      if (prelude !== undefined) preludes.push(prelude);
    }
    for (const { name, binding } of options.connectors ?? []) {
      const problem = offer(name, { execute: ({ m, a }) => safely(() => binding.callTool(m, a[0])) });
      if (problem !== undefined) return { result: undefined, error: problem };
    }
    const tools = Object.fromEntries([...namespaces].map(([name, tool]) => [`__${name}`, tool]));
    shared ??= new Isobox({ limits: HIGHEST, checks: 'off' });
    const program = [...namespaces.keys()].map(proxy).join('') + preludes.map((prelude) => `${prelude}\n`).join('') + body(code);
    const outcome = await shared.run(program, { tools, limits: this.#limits, durable: false });
    const logs = outcome.logs.map(lineOf);
    const said = logs.length > 0 ? { logs } : {};
    if (outcome.status === 'completed') return { result: outcome.result, ...said };
    return { result: undefined, error: outcome.status === 'failed' ? outcome.error.message : `unexpected status ${outcome.status}`, ...said };
  }
}

/** Returns the text that runs a program: a function is called, anything else is a body. */
export function body(code: string): string {
  const normal = normalizeCode(code);
  return isFunction(normal) ? `return await (${normal}\n)();` : normal;
}

/** Defines a namespace whose functions take any arguments. */
function proxy(name: string): string {
  return `const ${name}=new Proxy({},{get:(_,m)=>typeof m==="string"&&m!=="then"&&m!=="toJSON"?async(...a)=>{try{return await tools.__${name}({m,a})}catch(e){throw new Error(e.message)}}:undefined});`;
}

function dispatcher(fns: ResolvedProvider['fns']): ToolOptions<any, any> {
  return {
    execute: ({ m, a }: { m: string; a: unknown[] }) => {
      const fn = Object.hasOwn(fns, m) ? fns[m] : undefined;
      if (fn === undefined) throw new ToolError(`Tool "${m}" not found`);
      return safely(() => fn(...a));
    },
  };
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
  const { result, error, logs } = await executor.execute(normalizeCode(code), providers, connectors?.length ? { connectors } : undefined);
  if (error) throw new Error(`Code execution failed: ${error}${logs?.length ? `\n\nConsole output:\n${logs.join('\n')}` : ''}`);
  return logs?.length ? { result, logs } : { result };
}
