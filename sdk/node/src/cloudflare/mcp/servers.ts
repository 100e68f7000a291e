// MCP servers whose tools run programs. The MCP SDK is handed in, so that ES modules and CommonJS each use their own copy.

import { shown } from '../../schema';
import { normalizeCode } from '../code';
import type { ExecuteResult, Executor } from '../executor';
import { plainResult } from '../mcp-result';
import { generateTypesFromJsonSchema, sanitizeToolName, truncateResponse } from '../utilities';
import { EXECUTE_DESCRIPTION, SEARCH_DESCRIPTION, withDocument } from './openapi-program';

/** The parts of the MCP SDK that are used. */
export interface Sdk {
  Client: new (info: Info) => ClientLike;
  InMemoryTransport: { createLinkedPair(): [any, any] };
  McpServer: new (info: Info) => ServerLike;
  /** A schema of a text, with a description. */
  text: (description: string) => unknown;
}

interface Info {
  name: string;
  version: string;
}

interface ClientLike {
  connect(transport: any): Promise<void>;
  listTools(params?: any): Promise<{ tools: ListedTool[]; nextCursor?: string | undefined }>;
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<unknown>;
}

interface ListedTool {
  name: string;
  description?: string | undefined;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown> | undefined;
}

interface ServerLike {
  connect(transport: any): Promise<void>;
  registerTool(name: string, config: any, call: (input: any, context: any) => Promise<any>): unknown;
}

export interface CodeMcpServerOptions<Server> {
  /** The server whose tools programs call as methods of `codemode`. */
  server: Server;
  executor: Executor;
  /** `{{types}}` is replaced by declarations, and `{{example}}` by a call of the first tool. */
  description?: string;
}

/** A request of a program. */
export interface RequestOptions {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  contentType?: string;
  rawBody?: boolean;
}

export interface OpenApiMcpServerOptions<Context> {
  /** The OpenAPI document. */
  spec: Record<string, unknown>;
  executor: Executor;
  /** Makes a request with the credentials of the host. `context` is that of the MCP call. */
  request: (options: RequestOptions, context: Context) => Promise<unknown>;
  /** The default is `openapi`. */
  name?: string;
  /** The default is `1.0.0`. */
  version?: string;
  /** Added to the description of the tool `execute`. */
  description?: string;
}

const DESCRIPTION = `Runs a program to achieve a goal.

Available:
{{types}}

Write an async arrow function in JavaScript or TypeScript that returns the result.

{{example}}`;

/** The most tools of a server that are listed. */
const MAXIMUM_TOOLS = 10_000;

/** Returns the functions of the entry point, over one copy of the MCP SDK. */
export function servers<Server, Context>(sdk: Sdk): {
  codeMcpServer: (options: CodeMcpServerOptions<Server>) => Promise<Server>;
  openApiMcpServer: (options: OpenApiMcpServerOptions<Context>) => Server;
} {
  const codeSchema = { code: sdk.text('The program: an async arrow function') };
  return {
    async codeMcpServer(options) {
      const { server, executor, description = DESCRIPTION } = options ?? {};
      const { connect } = (server ?? {}) as { connect?: unknown };
      if (typeof connect !== 'function') throw new TypeError(`codeMcpServer: \`server\` is ${shown(server)}; expected an McpServer`);
      checkExecutor('codeMcpServer', executor);
      if (typeof description !== 'string') throw new TypeError(`codeMcpServer: \`description\` is ${shown(description)}; expected a string`);
      const [near, far] = sdk.InMemoryTransport.createLinkedPair();
      await (server as unknown as ServerLike).connect(far);
      const client = new sdk.Client({ name: 'isobox', version: '1.0.0' });
      await client.connect(near);
      const tools = await listTools(client);
      const fns = Object.fromEntries(tools.map(({ name }) => [name, async (args: Record<string, unknown> = {}) => plainResult(await client.callTool({ name, arguments: args }))]));
      const types = generateTypesFromJsonSchema(Object.fromEntries(tools.map((tool) => [tool.name, descriptorOf(tool)])));
      const replaced = description.replaceAll('{{types}}', () => types).replaceAll('{{example}}', () => exampleOf(tools[0]));
      const wrapper = new sdk.McpServer({ name: 'codemode', version: '1.0.0' });
      wrapper.registerTool('code', { description: replaced, inputSchema: codeSchema }, async ({ code }: { code: string }) =>
        answer(() => executor.execute(code, [{ name: 'codemode', fns }])),
      );
      return wrapper as unknown as Server;
    },

    openApiMcpServer(options) {
      const { spec, executor, request, name = 'openapi', version = '1.0.0', description } = options ?? {};
      if (typeof spec !== 'object' || spec === null) throw new TypeError(`openApiMcpServer: \`spec\` is ${shown(spec)}; expected an OpenAPI document`);
      checkExecutor('openApiMcpServer', executor);
      if (typeof request !== 'function') throw new TypeError(`openApiMcpServer: \`request\` is ${shown(request)}; expected a function`);
      for (const [key, value] of Object.entries({ name, version, description })) {
        if (value !== undefined && typeof value !== 'string') throw new TypeError(`openApiMcpServer: \`${key}\` is ${shown(value)}; expected a string`);
      }
      const server = new sdk.McpServer({ name, version });
      const host = { spec: async () => spec };
      const run = (code: string, fns: Record<string, (...args: any[]) => Promise<unknown>>, methods: string): Promise<CallResult> =>
        answer(() => executor.execute(withDocument(normalizeCode(code), methods), [{ name: '__openapiHost', fns }]));
      server.registerTool('search', { description: SEARCH_DESCRIPTION, inputSchema: codeSchema }, async ({ code }: { code: string }) => run(code, host, ''));
      const executing = description === undefined ? EXECUTE_DESCRIPTION : `${EXECUTE_DESCRIPTION}\n\n${description}`;
      server.registerTool('execute', { description: executing, inputSchema: codeSchema }, async ({ code }: { code: string }, context: Context) =>
        run(code, { ...host, request: (given) => request(given, context) }, 'request:(o)=>__openapiHost.request(o),'),
      );
      return server as unknown as Server;
    },
  };
}

function checkExecutor(owner: string, executor: unknown): void {
  if (typeof (executor as Executor | undefined)?.execute !== 'function') throw new TypeError(`${owner}: \`executor\` is ${shown(executor)}; expected an object with the method execute`);
}

/** Lists the tools of a server, from all pages. */
async function listTools(client: ClientLike): Promise<ListedTool[]> {
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor });
    tools.push(...page.tools);
    cursor = page.tools.length === 0 ? undefined : page.nextCursor;
    if (tools.length > MAXIMUM_TOOLS) throw new Error(`codeMcpServer: the server has more than ${MAXIMUM_TOOLS} tools`);
  } while (cursor !== undefined);
  return tools;
}

function descriptorOf({ description, inputSchema, outputSchema }: ListedTool): { description?: string; inputSchema: Record<string, unknown>; outputSchema?: Record<string, unknown> } {
  return { ...(description !== undefined && { description }), inputSchema, ...(outputSchema !== undefined && { outputSchema }) };
}

/** Returns a call of a tool, with values of the right types. */
function exampleOf(tool: ListedTool | undefined): string {
  if (tool === undefined) return '';
  const properties = Object.entries((tool.inputSchema['properties'] ?? {}) as Record<string, { type?: unknown } | undefined>);
  const values = properties.map(([key, property]) => `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key)}: ${EXAMPLES[String(property?.type)] ?? '"..."'}`);
  const input = values.length === 0 ? '{}' : `{ ${values.join(', ')} }`;
  return `Example: async () => { const r = await codemode.${sanitizeToolName(tool.name)}(${input}); return r; }`;
}

const EXAMPLES: Record<string, string> = { number: '0', integer: '0', boolean: 'true' };

interface CallResult {
  content: { type: 'text'; text: string }[];
  isError?: boolean;
}

/** Runs a program, and returns its result or its error as text. */
async function answer(run: () => Promise<ExecuteResult>): Promise<CallResult> {
  let executed: ExecuteResult;
  try {
    executed = await run();
  } catch (error) {
    executed = { result: undefined, error: error instanceof Error ? error.message : String(error) };
  }
  const { result, error } = executed;
  if (error) return { content: [{ type: 'text', text: `Error: ${truncateResponse(error)}` }], isError: true };
  const text = typeof result === 'string' ? result : (JSON.stringify(result, null, 2) ?? 'undefined');
  return { content: [{ type: 'text', text: truncateResponse(text) }] };
}
