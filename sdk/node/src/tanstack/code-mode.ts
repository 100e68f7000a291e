// The code tool for `chat()` of TanStack AI: `createCodeMode` of `@tanstack/ai-code-mode`, over Isobox.

import type { SchemaInput, ServerTool } from '@tanstack/ai' with { 'resolution-mode': 'import' };

import { check, checkOptions } from '../check';
import { declareNamespace } from '../cloudflare/utilities';
import { type Parsed, readSchema, shown } from '../schema';
import { type IsolateDriver, type ToolBinding, createIsoboxIsolateDriver } from './driver';

/** A tool of TanStack AI that runs on the server. */
export type CodeModeTool = ServerTool<any, any, string, any>;

export interface CodeModeToolConfig {
  /** The tools that programs call as `external_NAME(input)`. */
  tools: CodeModeTool[];
  /** The default runs programs in Isobox. */
  driver?: IsolateDriver;
  /** The maximum time of one program, in milliseconds. The default is 30,000. */
  timeout?: number;
  /** The maximum memory, in megabytes. The default is 128. */
  memoryLimit?: number;
  /** Returns further functions for a program, by their names. Called for every program. */
  getSkillBindings?: () => Promise<Record<string, ToolBinding>>;
}

export interface CodeModeToolResult {
  success: boolean;
  result?: unknown;
  logs?: string[];
  error?: { message: string; name?: string | undefined; line?: number | undefined } | undefined;
}

export interface CreateCodeModeResult {
  /** The tool `execute_typescript`. */
  tool: ServerTool<SchemaInput, SchemaInput, 'execute_typescript'>;
  /** The tools for `chat({ tools })`. */
  tools: ServerTool<SchemaInput, SchemaInput, string>[];
  /** Tells the model how to write programs, with the types of all functions. */
  systemPrompt: string;
}

const CONFIG = { tools: 'list', driver: 'object', timeout: 'milliseconds', memoryLimit: 'any', getSkillBindings: 'function' } as const;

/** Creates the code tool and the system prompt that belongs to it. */
export function createCodeMode(config: CodeModeToolConfig): CreateCodeModeResult {
  const tool = createCodeModeTool(config);
  return { tool, tools: [tool], systemPrompt: createCodeModeSystemPrompt(config) };
}

type Emit = (event: string, value: Record<string, unknown>) => void;

/** Creates the tool `execute_typescript`. Its input is `{ typescriptCode }`. */
export function createCodeModeTool(config: CodeModeToolConfig): ServerTool<SchemaInput, SchemaInput, 'execute_typescript'> {
  checkOptions('createCodeModeTool', config, CONFIG);
  const { tools, timeout = 30_000, memoryLimit = 128, getSkillBindings } = config ?? {};
  check('createCodeModeTool: `tools`', tools, 'list');
  if (tools.length === 0) throw new TypeError('createCodeModeTool: `tools` is []; expected at least one tool');
  const driver = config.driver ?? createIsoboxIsolateDriver({ timeout, memoryLimit });
  const bindings = Object.fromEntries(tools.map((tool) => [`external_${tool.name}`, bindingOf(tool)]));
  const names = Object.keys(bindings).join(', ');
  const execute = async ({ typescriptCode: code }: { typescriptCode: string }, context?: { emitCustomEvent?: Emit }): Promise<CodeModeToolResult> => {
    const emit: Emit = context?.emitCustomEvent ?? (() => {});
    if (typeof code !== 'string' || code === '') return { success: false, error: { message: 'typescriptCode must be a non-empty string', name: 'ValidationError' } };
    emit('code_mode:execution_started', { timestamp: Date.now(), codeLength: code.length });
    try {
      const all = { ...bindings, ...(await getSkillBindings?.()) };
      const isolate = await driver.createContext({ bindings: observed(all, emit), timeout, memoryLimit });
      try {
        const { success, value, error, logs = [] } = await isolate.execute(code);
        for (const line of logs) emit('code_mode:console', { ...levelOf(line), timestamp: Date.now() });
        return success ? { success, result: value, logs } : { success, error: { message: error?.message ?? 'unknown error', name: error?.name }, logs };
      } finally {
        await isolate.dispose();
      }
    } catch (error) {
      return { success: false, error: error instanceof Error ? { message: error.message, name: error.name } : { message: String(error), name: 'Error' } };
    }
  };
  const description = `Runs a program in TypeScript in a sandbox. It may call these functions, which are async: ${names}. Return a value to pass results back. \`console.log\` is captured.`;
  return { __toolSide: 'server', name: 'execute_typescript', description, inputSchema: INPUT, outputSchema: OUTPUT, execute } as unknown as ServerTool<SchemaInput, SchemaInput, 'execute_typescript'>;
}

/** Returns the system prompt for the tool `execute_typescript`. */
export function createCodeModeSystemPrompt({ tools }: Pick<CodeModeToolConfig, 'tools'>): string {
  check('createCodeModeSystemPrompt: `tools`', tools, 'list');
  const declared = declareNamespace('x', Object.fromEntries(tools.map(({ name, ...tool }) => [`external_${name}`, tool as object])));
  const inner = declared.slice(declared.indexOf('{\n') + 2, declared.lastIndexOf('};'));
  const functions = inner.replace(/^ {2}/gm, '').replace(/^external_/gm, 'declare function external_');
  return `Use the tool \`execute_typescript\` for work with several steps: loops, calculations, and calls whose results belong together.

- Write the body of an async function: \`await\` every call, and \`return\` a JSON value.
- Make independent calls at once with \`Promise.all\`.
- A call that fails throws an \`Error\` with a message.
- There is no network and no file system. These functions are all there is:

\`\`\`ts
${functions.trim()}
\`\`\``;
}

function bindingOf(tool: CodeModeTool): ToolBinding {
  const { name, description, inputSchema, outputSchema, execute } = tool as { name: string; description: string; inputSchema?: unknown; outputSchema?: unknown; execute?: unknown };
  if (typeof name !== 'string' || !/^\w+$/.test(name)) throw new TypeError(`createCodeModeTool: the name of a tool is ${shown(name)}; expected letters, digits and _`);
  if (typeof execute !== 'function') throw new TypeError(`createCodeModeTool: \`execute\` of the tool "${name}" is ${shown(execute)}; expected a function`);
  const input = inputSchema === undefined ? undefined : readSchema(inputSchema, 'input', `tools.${name}.inputSchema`);
  const output = outputSchema === undefined ? undefined : readSchema(outputSchema, 'output', `tools.${name}.outputSchema`);
  const checked = async (side: string, parse: ((value: unknown) => Parsed | Promise<Parsed>) | undefined, value: unknown): Promise<unknown> => {
    const parsed = parse === undefined ? { value } : await parse(value);
    if ('problem' in parsed) throw new Error(`${side} validation failed for tool ${name}: ${parsed.problem}`);
    return parsed.value;
  };
  return {
    name: `external_${name}`,
    description,
    inputSchema: typeof input?.json === 'object' ? { ...input.json } : { type: 'object', properties: {} },
    ...(typeof output?.json === 'object' && { outputSchema: { ...output.json } }),
    execute: async (args, context) => checked('Output', output?.parse, await execute(await checked('Input', input?.parse, args), context)),
  };
}

/** Reports every call as an event. */
function observed(bindings: Record<string, ToolBinding>, emit: Emit): Record<string, ToolBinding> {
  const wrap = (name: string, binding: ToolBinding): ToolBinding => ({
    ...binding,
    execute: async (args) => {
      const started = Date.now();
      emit('code_mode:external_call', { function: name, args, timestamp: started });
      try {
        const result = await binding.execute(args, { emitCustomEvent: emit });
        emit('code_mode:external_result', { function: name, result, duration: Date.now() - started });
        return result;
      } catch (error) {
        emit('code_mode:external_error', { function: name, error: error instanceof Error ? error.message : String(error), duration: Date.now() - started });
        throw error;
      }
    },
  });
  return Object.fromEntries(Object.entries(bindings).map(([name, binding]) => [name, wrap(name, binding)]));
}

function levelOf(line: string): { level: string; message: string } {
  const prefix = /^(ERROR|WARN|INFO): /.exec(line);
  return prefix === null ? { level: 'log', message: line } : { level: String(prefix[1]).toLowerCase(), message: line.slice(prefix[0].length) };
}

const INPUT = {
  type: 'object',
  properties: { typescriptCode: { type: 'string', description: 'The program: the body of an async function. Return a value to pass results back.' } },
  required: ['typescriptCode'],
  additionalProperties: false,
};

const OUTPUT = {
  type: 'object',
  properties: {
    success: { type: 'boolean' },
    result: {},
    logs: { type: 'array', items: { type: 'string' } },
    error: { type: 'object', properties: { message: { type: 'string' }, name: { type: 'string' }, line: { type: 'number' } }, required: ['message'] },
  },
  required: ['success'],
};
