// An `IsolateDriver` for `@tanstack/ai-code-mode`.

import { HIGHEST, memoryFor, stackFor } from '../highest';
import { Isobox } from '../isobox';
import type { Limits } from '../limits';
import type { Failure, Log } from '../outcome';
import { shown } from '../schema';
import { type ToolOptions, ToolError } from '../tool';

/** A tool that programs call as a global function. */
export interface ToolBinding {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown> | undefined;
  execute: (args: unknown, context?: any) => Promise<unknown>;
}

export interface IsolateConfig {
  bindings: Record<string, ToolBinding>;
  /** The maximum time of one execution, in milliseconds. */
  timeout?: number;
  /** The maximum memory, in megabytes. */
  memoryLimit?: number;
}

export interface NormalizedError {
  name: string;
  message: string;
  stack?: string;
  /** The code of Isobox. */
  code?: string;
}

export interface ExecutionResult<T = unknown> {
  success: boolean;
  value?: T;
  error?: NormalizedError;
  logs?: string[];
}

export interface IsolateContext {
  execute: <T = unknown>(code: string) => Promise<ExecutionResult<T>>;
  dispose: () => Promise<void>;
}

export interface IsolateDriver {
  createContext: (config: IsolateConfig) => Promise<IsolateContext>;
}

/** The options of the driver, with the names and defaults of the drivers that it replaces. */
export interface IsoboxIsolateDriverConfig {
  /** The maximum memory, in megabytes. The default is 128. */
  memoryLimit?: number;
  /** The maximum time of one execution, in milliseconds. The default is 30,000. */
  timeout?: number;
  /** The maximum stack, in bytes. The default is 512 KiB, and 1 MiB is the most. */
  maxStackSize?: number;
}

/** Creates a driver that runs programs in Isobox. */
export function createIsoboxIsolateDriver(config: IsoboxIsolateDriverConfig = {}): IsolateDriver {
  const { memoryLimit = 128, timeout = 30_000, maxStackSize = 512 * 1024 } = config;
  for (const [key, value] of Object.entries({ memoryLimit, timeout, maxStackSize })) {
    if (!Number.isFinite(value) || value <= 0) throw new TypeError(`createIsoboxIsolateDriver: ${key} is ${shown(value)}; expected a number above 0`);
  }
  const usual = limitsOf(memoryLimit, timeout, maxStackSize);
  return {
    async createContext(isolate) {
      const isUsual = (isolate.memoryLimit ?? memoryLimit) === memoryLimit && (isolate.timeout ?? timeout) === timeout;
      const limits = isUsual ? usual : limitsOf(isolate.memoryLimit ?? memoryLimit, isolate.timeout ?? timeout, maxStackSize);
      return new Context(isolate.bindings, limits);
    },
  };
}

/** Returns the limits of Isobox. They are frozen, so that they are checked once. */
function limitsOf(memoryLimit: number, timeout: number, maxStackSize: number): Limits {
  return Object.freeze({ memory: memoryFor(memoryLimit * 1024 * 1024), stack: stackFor(maxStackSize), timeout, cpu: timeout });
}

/** Replaces that of `@tanstack/ai-isolate-node`. */
export const createNodeIsolateDriver = createIsoboxIsolateDriver;

/** Replaces that of `@tanstack/ai-isolate-quickjs`. */
export const createQuickJSIsolateDriver = createIsoboxIsolateDriver;

let shared: Isobox | undefined;

class Context implements IsolateContext {
  readonly #bindings: Record<string, ToolBinding>;
  readonly #limits: Limits;
  readonly #stop = new AbortController();
  #isDisposed = false;
  readonly #running = new Set<Promise<unknown>>();

  constructor(bindings: Record<string, ToolBinding>, limits: Limits) {
    this.#bindings = bindings;
    this.#limits = limits;
  }

  async execute<T>(code: string): Promise<ExecutionResult<T>> {
    if (this.#isDisposed) return { success: false, error: { name: 'DisposedError', message: 'Context has been disposed' }, logs: [] };
    const names = Object.keys(this.#bindings);
    const tools = Object.fromEntries(names.map((name) => [name, toolOf(this.#bindings[name] as ToolBinding)]));
    shared ??= new Isobox({ limits: HIGHEST, checks: 'off' });
    const running = shared.run<T>(prelude(names) + code, { tools, limits: this.#limits, signal: this.#stop.signal, durable: false });
    this.#running.add(running);
    try {
      const outcome = await running;
      const logs = outcome.logs.map(lineOf);
      if (outcome.status === 'completed') return { success: true, value: outcome.result, logs };
      const error = outcome.status === 'failed' ? errorOf(outcome.error) : { name: 'Error', message: `unexpected status ${outcome.status}` };
      return { success: false, error, logs };
    } finally {
      this.#running.delete(running);
    }
  }

  /** Ends what runs, and frees everything. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    // The reason of an abort takes long to make.
    if (this.#running.size === 0) return;
    this.#stop.abort();
    await Promise.allSettled(this.#running);
  }
}

/** Defines the global functions of a program. One line, so that the lines of the program stay what they are. */
function prelude(names: string[]): string {
  return names.map((name) => `const ${name}=async(i)=>{try{return await tools.${name}(i)}catch(e){throw new Error(e.message)}};`).join('');
}

function toolOf({ description, execute }: ToolBinding): ToolOptions<any, any> {
  return {
    description,
    execute: async (input) => {
      try {
        return await execute(input);
      } catch (error) {
        throw new ToolError(error instanceof Error ? error.message : String(error));
      }
    },
  };
}

function lineOf({ level, message }: Log): string {
  return level === 'log' || level === 'debug' ? message : `${level.toUpperCase()}: ${message}`;
}

function errorOf({ code, name, message, details }: Failure): NormalizedError {
  const stack = typeof details?.['stack'] === 'string' ? { stack: details['stack'] } : {};
  if (code === 'MEMORY') return { name: 'MemoryLimitError', message: 'Code execution exceeded memory limit', code, ...stack };
  if (code === 'STACK') return { name: 'StackOverflowError', message: 'Code execution exceeded stack size limit', code, ...stack };
  return { name, message, code, ...stack };
}
