// `isobox/cloudflare/browser`: the tool descriptor of `@cloudflare/codemode/browser`, for frameworks without a type of their own.

import { type JsonSchema, shown } from '../schema';
import { type Executor, IsoboxExecutor } from './executor';
import { type CodeInput, type CodeOutput, codeTool } from './providers';
import { type JsonSchemaToolDescriptor, sanitizeToolName } from './utilities';

export type { ExecuteResult, Executor, ResolvedProvider } from './executor';
export type { JsonSchemaToolDescriptor, JsonSchemaToolDescriptors } from './utilities';

/** A tool with a JSON Schema and a function. Those that need approval are left out. */
export interface JsonSchemaExecutableToolDescriptor extends JsonSchemaToolDescriptor {
  /** Needed in an array. */
  name?: string;
  needsApproval?: boolean | ((...args: any[]) => unknown);
  execute: (args: Record<string, any>) => Promise<unknown>;
}

export type JsonSchemaExecutableToolDescriptors = Record<string, JsonSchemaExecutableToolDescriptor>;

export interface CreateBrowserCodeToolOptions {
  tools: JsonSchemaExecutableToolDescriptor[] | JsonSchemaExecutableToolDescriptors;
  /** The default is a new `IsoboxExecutor`. */
  executor?: Executor;
  /** `{{types}}` is replaced by declarations. */
  description?: string;
}

export interface BrowserCodeToolDescriptor {
  name: string;
  description: string;
  inputSchema: { type: 'object'; properties: { code: { type: 'string'; description: string } }; required: ['code'] };
  outputSchema: { type: 'object'; properties: { result: { description: string }; logs: { type: 'array'; items: { type: 'string' }; description: string } }; required: ['result'] };
  execute(args: CodeInput): Promise<CodeOutput>;
}

/** Creates a tool as plain data and a function. */
export function createBrowserCodeTool(options: CreateBrowserCodeToolOptions): BrowserCodeToolDescriptor {
  const { tools, executor = new IsoboxExecutor(), description } = options ?? {};
  if (typeof tools !== 'object' || tools === null) throw new TypeError(`createBrowserCodeTool: \`tools\` is ${shown(tools)}; expected an array or an object of tools`);
  const record = recordOf(tools);
  const made = codeTool({ tools: record, executor, ...(description !== undefined && { description }) });
  return {
    name: 'codemode',
    description: made.description,
    inputSchema: { type: 'object', properties: { code: { type: 'string', description: 'The program: an async arrow function' } }, required: ['code'] },
    outputSchema: {
      type: 'object',
      properties: { result: { description: 'What the program returned' }, logs: { type: 'array', items: { type: 'string' }, description: 'What the program logged' } },
      required: ['result'],
    },
    execute: made.execute,
  };
}

/** Returns tools by name. Two names that become one are refused. */
function recordOf(tools: CreateBrowserCodeToolOptions['tools']): Record<string, { description?: string; inputSchema?: JsonSchema }> {
  const entries = Array.isArray(tools) ? tools.map((tool): [unknown, JsonSchemaExecutableToolDescriptor] => [tool?.name, tool]) : Object.entries(tools);
  const sources = new Map<string, string>();
  for (const [name, tool] of entries) {
    if (typeof name !== 'string' || name === '') throw new TypeError(`createBrowserCodeTool: \`name\` of a tool is ${shown(name)}; expected a name`);
    if (typeof tool?.execute !== 'function') throw new TypeError(`createBrowserCodeTool: \`execute\` of the tool "${name}" is ${shown(tool?.execute)}; expected a function`);
    const other = sources.get(sanitizeToolName(name));
    if (other !== undefined) throw new Error(`Tool names "${other}" and "${name}" both sanitize to "${sanitizeToolName(name)}"`);
    sources.set(sanitizeToolName(name), name);
  }
  return Object.fromEntries(entries) as Record<string, { description?: string; inputSchema?: JsonSchema }>;
}
