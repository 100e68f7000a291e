// Tool providers, and the code tool of the AI SDK.

import type { Tool } from 'ai';

import { type Schema, readSchema, shown } from '../schema';
import { type Executor, type ResolvedProvider, runCode } from './executor';
import { declareNamespace } from './utilities';

/** A tool of the AI SDK, a descriptor, or anything with `execute`. */
export interface ProviderTool {
  description?: string;
  inputSchema?: unknown;
  outputSchema?: unknown;
  needsApproval?: unknown;
  execute?: ((...args: any[]) => any) | undefined;
}

export type ToolProviderTools = Record<string, any>;

export interface ToolProvider {
  /** The namespace. The default is `codemode`. */
  name?: string;
  tools: ToolProviderTools;
  /** Declarations for the model, in place of those that are made from the schemas. */
  types?: string;
}

export const DEFAULT_DESCRIPTION = `Runs a program to achieve a goal.

Available:
{{types}}

Write an async arrow function in JavaScript or TypeScript that returns the result.

Example: async () => { const r = await codemode.searchWeb({ query: "test" }); return r; }`;

/** Tools without approval that can be called. */
function callable(tools: ToolProviderTools): [string, ProviderTool][] {
  return Object.entries(tools as Record<string, ProviderTool>).filter(([, { needsApproval, execute }]) => needsApproval !== true && typeof needsApproval !== 'function' && typeof execute === 'function');
}

/** Returns the functions of a provider, without those that need approval. Inputs are checked by their schemas. */
export function resolveProvider({ name = 'codemode', tools }: ToolProvider): ResolvedProvider {
  const fns = Object.fromEntries(callable(tools).map(([key, tool]) => [key, checked(key, tool)]));
  return { name, fns };
}

function checked(name: string, tool: ProviderTool): (...args: any[]) => Promise<unknown> {
  const { inputSchema } = tool;
  const parse = inputSchema === undefined ? undefined : readSchema(inputSchema, 'input', `tools.${name}.inputSchema`).parse;
  return async (...args) => {
    if (parse === undefined) return tool.execute?.(...args);
    const parsed = await parse(args[0]);
    if ('problem' in parsed) throw new Error(`Invalid input for tool "${name}": ${parsed.problem}`);
    return tool.execute?.(parsed.value, ...args.slice(1));
  };
}

export function normalizeProviders(tools: ToolProviderTools | ToolProvider[]): ToolProvider[] {
  return Array.isArray(tools) ? tools : [{ tools }];
}

/** Wraps tools of the AI SDK in the default provider. */
export function aiTools(tools: ToolProviderTools): ToolProvider {
  return { tools };
}

/** Returns declarations of tools, in a namespace. */
export function generateTypes(tools: ToolProviderTools, namespace = 'codemode'): string {
  return declareNamespace(namespace, tools);
}

export interface CreateCodeToolOptions {
  tools: ToolProviderTools | ToolProvider[];
  executor: Executor;
  /** `{{types}}` is replaced by declarations. */
  description?: string;
}

export type CodeInput = { code: string };
export type CodeOutput = { result: unknown; logs?: string[] };

/** A tool with a schema. */
export interface ToolDescriptor {
  description?: string;
  inputSchema: Schema;
  outputSchema?: Schema;
  execute?: (args: any) => Promise<unknown>;
}

export type ToolDescriptors = Record<string, ToolDescriptor>;

/** Returns what the code tools of all frameworks have in common. */
export function codeTool(options: CreateCodeToolOptions): { description: string; execute: (input: CodeInput) => Promise<CodeOutput> } {
  const { tools, executor, description = DEFAULT_DESCRIPTION } = options ?? {};
  if (typeof tools !== 'object' || tools === null) throw new TypeError(`createCodeTool: \`tools\` is ${shown(tools)}; expected an object of tools, or an array of providers`);
  if (typeof executor?.execute !== 'function') throw new TypeError(`createCodeTool: \`executor\` is ${shown(executor)}; expected an object with the method execute`);
  const providers = normalizeProviders(tools);
  const types = providers.map(({ name = 'codemode', tools: offered, types: given }) => given ?? declareNamespace(name, Object.fromEntries(callable(offered)))).join('\n');
  const resolved = providers.map(resolveProvider);
  return { description: description.replaceAll('{{types}}', () => types), execute: ({ code }) => runCode({ code, executor, providers: resolved }) };
}

/** Creates a tool of the AI SDK whose input is `{ code }` and whose output is `{ result, logs }`. */
export function createCodeTool(options: CreateCodeToolOptions): Tool<CodeInput, CodeOutput> {
  return { ...codeTool(options), inputSchema: CODE_INPUT } as unknown as Tool<CodeInput, CodeOutput>;
}

/** The schema of `{ code }`, as the AI SDK makes one. */
export const CODE_INPUT = {
  [Symbol.for('vercel.ai.schema')]: true,
  _type: undefined,
  validate: undefined,
  jsonSchema: { type: 'object', properties: { code: { type: 'string', description: 'The program to run' } }, required: ['code'], additionalProperties: false },
};
