// `isobox/cloudflare/tanstack-ai`: replaces `@cloudflare/codemode/tanstack-ai`.

import type { SchemaInput, ServerTool, Tool } from '@tanstack/ai' with { 'resolution-mode': 'import' };

import { shown } from '../schema';
import { type CreateCodeToolOptions, type ToolProvider, codeTool } from './providers';
import { declareNamespace } from './utilities';

export { DEFAULT_DESCRIPTION, normalizeProviders, resolveProvider } from './providers';
export type { CodeInput, CodeOutput, CreateCodeToolOptions, ToolProvider, ToolProviderTools } from './providers';

/** Wraps tools of TanStack AI in a provider. Those that need approval, and those without `execute`, cannot be called. */
export function tanstackTools(tools: Tool[], name = 'codemode'): ToolProvider {
  const entries = readable('tanstackTools', tools).filter(({ needsApproval }) => needsApproval !== true && typeof needsApproval !== 'function');
  return { name, tools: Object.fromEntries(entries.map((tool) => [tool.name, tool])), types: generateTypes(entries as Tool[], name) };
}

/** Returns declarations of tools of TanStack AI, in a namespace. */
export function generateTypes(tools: Tool[], namespace = 'codemode'): string {
  return declareNamespace(namespace, Object.fromEntries(readable('generateTypes', tools).map((tool) => [tool.name, tool])));
}

/** Creates a tool for `chat()` of TanStack AI. Its input is `{ code }`, and its output is `{ result, logs }`. */
export function createCodeTool(options: CreateCodeToolOptions): ServerTool<SchemaInput, SchemaInput> {
  const { description, execute } = codeTool(options);
  return { __toolSide: 'server', name: 'codemode_execute', description, inputSchema: CODE, execute } as unknown as ServerTool<SchemaInput, SchemaInput>;
}

/** What is read of a tool. */
interface Readable {
  name: string;
  description?: string;
  inputSchema?: unknown;
  outputSchema?: unknown;
  needsApproval?: unknown;
}

function readable(owner: string, tools: unknown): Readable[] {
  if (!Array.isArray(tools) || tools.some((tool) => typeof tool?.name !== 'string')) throw new TypeError(`${owner}: \`tools\` is ${shown(tools)}; expected an array of tools with names`);
  return tools as Readable[];
}

const JSON_SCHEMA = { type: 'object', properties: { code: { type: 'string', description: 'The program to run' } }, required: ['code'], additionalProperties: false };

/** The schema of `{ code }`, for every library that reads Standard Schema. */
const CODE = {
  '~standard': {
    version: 1,
    vendor: 'isobox',
    validate: (value: unknown) => (typeof (value as { code?: unknown } | null)?.code === 'string' ? { value } : { issues: [{ message: 'expected { code } with a program' }] }),
    jsonSchema: { input: () => JSON_SCHEMA, output: () => JSON_SCHEMA },
  },
};
