// Snippets: programs that are saved under a name.

import { check, checkOptions } from './check';
import type { Engine } from './engine';
import { type Principal, principal } from './executions';
import type { Outcome } from './outcome';
import { type Files, sourceOf } from './program';
import type { RunOptions } from './run-options';
import { type Schema, readSchema, shown } from './schema';

/** An example of a snippet: an input, and the exact result or a result with the same types and fields. */
export type SnippetExample = { input?: unknown; result: unknown } | { input?: unknown; shape: unknown };

/** How far a version is trusted, by its successes. */
export type SnippetTrust = 'untrusted' | 'provisional' | 'trusted';

/** A snippet in a list: its newest version, without the code. */
export interface ListedSnippet {
  name: string;
  version: number;
  /** The versions that are kept, oldest first. */
  versions: number[];
  description: string;
  inputSchema?: unknown;
  /** The execution whose program it is. */
  from?: string;
  /** The name of the principal that saved it. */
  by: string;
  /** The time at which it was saved, in milliseconds. */
  saved: number;
  /** The paths of the tools that it needs. */
  tools: string[];
  examples: SnippetExample[];
  uses: { successes: number; failures: number; last?: number };
  trust: SnippetTrust;
  /** The hash of the code. */
  hash: string;
}

/** A version of a snippet with its code. */
export interface Snippet extends ListedSnippet {
  files: Files;
  entry: string;
}

/** What is kept with the code of a snippet. */
export interface SnippetOptions {
  /** What the snippet does, for models and people. */
  description?: string;
  /** The schema of the input: a Standard Schema (zod, valibot, arktype …) or a JSON Schema. */
  inputSchema?: Schema;
  examples?: SnippetExample[];
  /** Who saves it. */
  by?: Principal;
}

/** The outcome of an example. */
export interface TestedExample {
  example: SnippetExample;
  passed: boolean;
  /** How the result differs from what is expected, or why there is none. */
  difference: string | null;
  outcome: Outcome;
}

const KEPT = { description: 'text', inputSchema: 'any', examples: 'list', by: 'principal' } as const;

/** Runs a snippet with the options of a run. */
type RunSnippet = <T>(name: string, input: unknown, options: RunOptions) => Promise<Outcome<T>>;

/** The snippets of a runtime's store. Programs run them with `codemode.run(name, input)`. Without a store: `CONFIG`. */
export class Snippets {
  readonly #engine: Engine;
  readonly #run: RunSnippet;

  /** @internal */
  constructor(engine: Engine, run: RunSnippet) {
    this.#engine = engine;
    this.#run = run;
  }

  /**
   * Saves the program of an execution as a new version, with the tools that the execution called. Unless it is forced, the
   * execution has to be completed (`CONFLICT`), its tools have to be there (`UNKNOWN_TOOL`), and no check may find a mistake (`CHECK`).
   */
  save(name: string, options: SnippetOptions & { from: string; force?: boolean }): Promise<Snippet> {
    check('snippets.save: `name`', name, 'someText');
    checkOptions('snippets.save', options, { ...KEPT, from: 'someText', force: 'truth' });
    check('snippets.save: `from`', options?.from, 'someText');
    const { from, force = false } = options;
    return this.#ask<Snippet>({ verb: 'save', from, force, snippet: kept('snippets.save', name, options) });
  }

  /** Saves a program that was not run before as a new version. Unless it is forced, no check may find a mistake (`CHECK`). */
  put(name: string, program: string | Files, options: SnippetOptions & { entry?: string; force?: boolean } = {}): Promise<Snippet> {
    check('snippets.put: `name`', name, 'someText');
    checkOptions('snippets.put', options, { ...KEPT, entry: 'text', force: 'truth' });
    const source = sourceOf('snippets.put', program, options.entry);
    const { force = false } = options;
    return this.#ask<Snippet>({ verb: 'put', program: source, force, snippet: kept('snippets.put', name, options) });
  }

  /** Lists all snippets by name, each with its newest version. */
  list(): Promise<ListedSnippet[]> {
    return this.#ask<ListedSnippet[]>({ verb: 'list' });
  }

  /** Returns a snippet with its code: the newest version, or `version`. */
  get(name: string, options: { version?: number } = {}): Promise<Snippet> {
    check('snippets.get: `name`', name, 'someText');
    checkOptions('snippets.get', options, { version: 'positive' });
    return this.#ask<Snippet>({ verb: 'get', name, ...options });
  }

  /** Deletes a snippet with all its versions. Programs that run it go on. */
  async delete(name: string, options: { by?: Principal } = {}): Promise<void> {
    check('snippets.delete: `name`', name, 'someText');
    checkOptions('snippets.delete', options, { by: 'principal' });
    await this.#ask({ verb: 'delete', name, by: principal(options.by) });
  }

  /** Runs a snippet with an input, as `isobox.run` runs a program. The name may end with `@` and a version. */
  run<T = unknown>(name: string, input?: unknown, options: Omit<RunOptions, 'entry' | 'stateless'> = {}): Promise<Outcome<T>> {
    check('snippets.run: `name`', name, 'someText');
    for (const key of ['entry', 'stateless'] as const) {
      const value = (options as RunOptions | null)?.[key];
      if (value !== undefined) throw new TypeError(`snippets.run: \`${key}\` is ${shown(value)}; expected undefined: a snippet has its own entry, and pauses in its store`);
    }
    return this.#run<T>(name, input, options);
  }

  /** Runs the examples of the newest version, one after the other, with the tools of the runtime. */
  test(name: string, options: { by?: Principal } = {}): Promise<TestedExample[]> {
    check('snippets.test: `name`', name, 'someText');
    checkOptions('snippets.test', options, { by: 'principal' });
    return this.#ask<TestedExample[]>({ verb: 'test', name, by: principal(options.by) });
  }

  #ask<T>(request: object): Promise<T> {
    return this.#engine.request<T>({ method: 'snippets', request }).promise;
  }
}

/** Returns what is kept with the code, as the native part takes it. */
function kept(owner: string, name: string, { description, inputSchema, examples, by }: SnippetOptions): Record<string, unknown> {
  for (const example of examples ?? []) {
    const isExample = typeof example === 'object' && example !== null && 'result' in example !== 'shape' in example;
    if (!isExample) throw new TypeError(`${owner}: \`examples\` has ${shown(example)}; expected { input, result } or { input, shape }`);
  }
  const json = inputSchema === undefined ? undefined : readSchema(inputSchema, 'input', `${owner}: \`inputSchema\``).json;
  return { name, description, inputSchema: json, examples, by: principal(by) };
}
