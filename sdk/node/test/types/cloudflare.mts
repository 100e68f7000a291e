// The types and examples of the documents of `@cloudflare/codemode`, with another import. Compiled, never run.
import type * as original from '@cloudflare/codemode';
import type * as originalMcp from '@cloudflare/codemode/mcp';
import { chat, type AnyTextAdapter, type Tool as TanStackTool } from '@tanstack/ai';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { generateText, tool, type ToolSet } from 'ai';
import { z } from 'zod';
import {
  CodemodeConnector,
  type ConnectorDescription,
  type ConnectorTool,
  type ConnectorTools,
  type CreateCodemodeRuntimeOptions,
  DEFAULT_MAX_EXECUTIONS,
  DEFAULT_PAUSED_TTL_MS,
  type DescribeOutput,
  DynamicWorkerExecutor,
  type ExecuteOptions,
  type ExecuteResult,
  type ExecutionEndStatus,
  type ExecutionState,
  type ExecutionStatus,
  type Executor,
  type JsonSchemaToolDescriptors,
  MAX_DURABLE_VALUE_BYTES,
  type McpConnectionLike,
  McpConnector,
  type McpTool,
  OpenApiConnector,
  type OpenApiRequestOptions,
  type PassEndStatus,
  type PendingAction,
  type ProxyToolInput,
  type ProxyToolOutput,
  type ResolvedProvider,
  type SaveSnippetOptions,
  type SearchOutput,
  type SearchResult,
  type Snippet,
  type ToolAnnotations,
  type ToolDecision,
  ToolDispatcher,
  type ToolExecuteContext,
  type ToolLogEntry,
  type ToolProvider,
  type TransformResult,
  type TruncateOptions,
  createCodemodeRuntime,
  generateTypesFromJsonSchema,
  jsonSchemaToType,
  normalizeCode,
  resolveProvider,
  runCode,
  sanitizeToolName,
  truncateResponse,
  truncateResult,
} from 'isobox/cloudflare';
import { ToolSetConnector, type ToolSetConnectorOptions, aiTools, createCodeTool, generateTypes, resolveProvider as resolveAiProvider, toolSetConnector } from 'isobox/cloudflare/ai';
import { type CodeMcpServerOptions, type OpenApiMcpRequestContext, type OpenApiMcpServerOptions, type RequestOptions, codeMcpServer, openApiMcpServer } from 'isobox/cloudflare/mcp';
import { type BrowserCodeToolDescriptor, createBrowserCodeTool } from 'isobox/cloudflare/browser';
import { createCodeTool as createTanStackCodeTool, generateTypes as generateTanStackTypes, normalizeProviders, tanstackTools } from 'isobox/cloudflare/tanstack-ai';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function expect<_T extends true>(): void {}

// The types of the reference, as it has them.
type ReferenceProxyToolOutput =
  | { status: 'completed'; executionId: string; result: unknown; logs?: string[] }
  | { status: 'paused'; executionId: string; pending: PendingAction[] }
  | { status: 'error'; executionId: string; error: string; logs?: string[] };
expect<Same<ProxyToolInput, { code: string }>>();
expect<Same<ProxyToolOutput, ReferenceProxyToolOutput>>();
expect<Same<TransformResult, (result: unknown) => unknown | Promise<unknown>>>();
expect<Same<ExecutionStatus, 'running' | 'paused' | 'completed' | 'error' | 'rejected' | 'rolled_back'>>();
expect<Same<ExecutionState, { id: string; code: string; status: ExecutionStatus; log: ToolLogEntry[]; result?: unknown; error?: string; logs?: string[]; connectors?: string[]; createdAt: number; updatedAt: number }>>();
expect<Same<ToolLogEntry, { seq: number; connector: string; method: string; args: unknown; result?: unknown; requiresApproval: boolean; ephemeral?: boolean; state: 'executing' | 'applied' | 'pending' | 'reverted' | 'error' }>>();
expect<Same<PendingAction, { executionId: string; seq: number; connector: string; method: string; args: unknown }>>();
expect<Same<ToolDecision, { kind: 'replay'; result: unknown } | { kind: 'execute'; seq: number } | { kind: 'pause'; seq: number }>>();
expect<Same<SearchOutput, { results: SearchResult[]; total: number; truncated: boolean }>>();
expect<Same<DescribeOutput, { path: string; description?: string; types: string; kind: 'connector' | 'method' | 'snippet' }>>();
expect<Same<Snippet, original.Snippet>>();
expect<Same<SaveSnippetOptions, { description?: string; inputSchema?: unknown; executionId: string }>>();
expect<Same<ExecuteResult['error'], string | undefined>>();
expect<Same<ToolExecuteContext, { executionId: string }>>();
expect<Same<ExecutionEndStatus, 'completed' | 'error' | 'rejected' | 'rolled_back'>>();
expect<Same<PassEndStatus, ExecutionEndStatus | 'paused'>>();
expect<Same<ToolAnnotations, { requiresApproval?: boolean; replay?: 'log' | 'reexecute' }>>();
expect<Same<OpenApiRequestOptions, { path: string; method?: string; params?: Record<string, unknown>; body?: unknown; headers?: Record<string, string> }>>();
expect<Same<TruncateOptions['maxChars'], number | undefined>>();
expect<Same<RequestOptions['method'], 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'>>();

// Values of each package fit the types of the other.
export function executors(mine: DynamicWorkerExecutor, theirs: original.Executor, options: ExecuteOptions): void {
  const one: original.Executor = mine;
  const other: Executor = theirs;
  void [one.execute('', [], options), other.execute('', [{ name: 'a', fns: {} }], options)];
}
export const descriptions = (mine: ConnectorDescription): string => mine.name;
export const connections = (theirs: original.McpConnectionLike): McpConnectionLike => theirs;
export const mcpOptions = (mine: CodeMcpServerOptions): originalMcp.CodeMcpServerOptions => mine;
export const openApiOptions = (theirs: originalMcp.OpenApiMcpServerOptions): OpenApiMcpServerOptions => theirs;
export const provider = (mine: ResolvedProvider): original.ResolvedProvider => mine;

// Runtime.
interface Env {
  MY_SERVICE: { list(args: unknown): Promise<unknown[]>; create(args: unknown): Promise<{ id: string }>; delete(id: string): Promise<void> };
  STRIPE_KEY: string;
}

export class MyConnector extends CodemodeConnector<Env> {
  name() {
    return 'myService';
  }

  protected override instructions() {
    return 'Use for interacting with My Service.';
  }

  protected tools(): ConnectorTools {
    return {
      listItems: {
        description: 'List all items.',
        inputSchema: { type: 'object', properties: { limit: { type: 'number' } } },
        execute: (args) => this.env.MY_SERVICE.list(args),
      },
      createItem: {
        description: 'Create an item.',
        inputSchema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
        requiresApproval: true,
        execute: (args) => this.env.MY_SERVICE.create(args),
        revert: (_args, result) => this.env.MY_SERVICE.delete((result as { id: string }).id),
      },
      read_file: { description: 'Read a file from the workspace.', replay: 'reexecute', execute: (_args, ctx) => ctx?.executionId },
    };
  }

  override async onPassEnd(_executionId: string, _status: PassEndStatus) {}
  override async disposeExecution(_executionId: string, _status: ExecutionEndStatus) {}
}

export class GithubConnector extends McpConnector<Env> {
  constructor(
    ctx: object,
    env: Env,
    private conn: McpConnectionLike,
  ) {
    super(ctx, env);
  }

  name() {
    return 'github';
  }
  protected override instructions() {
    return 'Use for GitHub operations.';
  }
  protected createConnection() {
    return this.conn;
  }
  protected override toolName(one: McpTool) {
    return sanitizeToolName(`github_${one.name}`);
  }
  protected override tool(name: string, t: ConnectorTool): ConnectorTool {
    if (name === 'create_issue') {
      return { ...t, requiresApproval: true, revert: (_args, result) => this.closeIssue(result) };
    }
    return t;
  }
  private closeIssue(_result: unknown): void {}
}

declare const stripeOpenApiSpec: Record<string, unknown>;

export class StripeConnector extends OpenApiConnector<Env> {
  name() {
    return 'stripe';
  }
  protected override instructions() {
    return 'Use for Stripe payments. Call the per-operation tools directly.';
  }
  protected spec() {
    return stripeOpenApiSpec;
  }
  protected override exposeSpec() {
    return true;
  }
  protected request(options: OpenApiRequestOptions) {
    return fetch(`https://api.stripe.com${options.path}`, {
      method: options.method ?? 'GET',
      headers: { Authorization: `Bearer ${this.env.STRIPE_KEY}` },
      ...(options.body ? { body: JSON.stringify(options.body) } : {}),
    }).then((r) => r.json());
  }
}

declare const ctx: object;
declare const env: Env & { LOADER: unknown };
declare const tools: ToolSet;
declare const model: Parameters<typeof generateText>[0]['model'];

export async function runtime(client: Client): Promise<void> {
  const executor = new DynamicWorkerExecutor({ loader: env.LOADER, timeout: 60000, globalOutbound: null, modules: { 'mylib.js': 'export const x = 1' } });
  const connection: McpConnectionLike = { client, fetchTools: async () => (await client.listTools()).tools };
  const options: CreateCodemodeRuntimeOptions = {
    ctx,
    executor,
    connectors: [new MyConnector(ctx, env), new GithubConnector(ctx, env, connection), new StripeConnector(ctx, env), toolSetConnector(ctx, { tools }), new ToolSetConnector(ctx, { name: 'kit', instructions: 'x', tools } satisfies ToolSetConnectorOptions)],
    name: 'default',
    maxExecutions: 50,
    transformResult: (result) => truncateResult(result),
    store: 'sqlite:codemode.db',
  };
  const handle = createCodemodeRuntime(options);
  await generateText({ model, tools: { codemode: handle.tool({ description: 'x', connectorHints: { github: 'issues' } }) }, prompt: 'go' });
  const [pending] = await handle.pending();
  if (pending === undefined) return;
  const output = await handle.approve({ executionId: pending.executionId });
  if (output.status === 'paused') await handle.reject({ seq: pending.seq, executionId: pending.executionId });
  await handle.rollback({ executionId: pending.executionId });
  const ids: string[] = await handle.expirePaused({ maxAgeMs: DEFAULT_PAUSED_TTL_MS });
  const states: ExecutionState[] = await handle.executions(10);
  const existed: boolean = await handle.deleteExecution(states[0]?.id ?? ids[0] ?? '');
  const count: number = await handle.pruneExecutions(DEFAULT_MAX_EXECUTIONS);
  const saved: Snippet = await handle.saveSnippet('list-open-prs', { executionId: pending.executionId, description: 'List open pull requests for a repository.' });
  const all: Snippet[] = await handle.snippets();
  const deleted: boolean = await handle.deleteSnippet(saved.name);
  void [all, deleted, existed, count, MAX_DURABLE_VALUE_BYTES];
}

// Tools and utilities.
export async function utilities(executor: Executor): Promise<void> {
  const weather = tool({ description: 'Weather.', inputSchema: z.object({ city: z.string() }), execute: async ({ city }) => city });
  const providers: ToolProvider[] = [aiTools({ weather }), { name: 'db', tools: { query: { description: 'Queries.', execute: async (sql: string) => sql } }, types: 'declare const db: {}' }];
  await generateText({ model, tools: { code: createCodeTool({ tools: providers, executor, description: 'Types: {{types}}' }) }, prompt: 'go' });
  const declared: string = generateTypes({ weather }, 'ns') + generateTypesFromJsonSchema({ a: { inputSchema: { type: 'object' } } } satisfies JsonSchemaToolDescriptors) + jsonSchemaToType({ type: 'string' }, 'Name');
  const { result, logs }: { result: unknown; logs?: string[] } = await runCode({ code: normalizeCode('1'), executor, providers: [resolveProvider(providers[0] as ToolProvider), resolveAiProvider({ tools: { weather } })], connectors: [{ name: 'a', binding: { callTool: async () => 1 } }] });
  const answer: string = await new ToolDispatcher({ add: async () => 1 }).call('add', '[1, 2]');
  void [declared, result, logs, answer, truncateResponse('x', { maxTokens: 10 })];
}

// MCP servers.
export async function servers(executor: Executor, server: McpServer): Promise<McpServer[]> {
  const request = async (options: RequestOptions, context: OpenApiMcpRequestContext): Promise<unknown> => [options.query, options.rawBody, context.signal.aborted];
  return [await codeMcpServer({ server, executor, description: '{{types}} {{example}}' }), openApiMcpServer({ spec: stripeOpenApiSpec, executor, request, name: 'stripe', version: '1.0.0', description: 'x' })];
}

// Plain tools.
export const plain: BrowserCodeToolDescriptor = createBrowserCodeTool({ tools: { add: { inputSchema: { type: 'object' }, execute: async ({ a, b }) => a + b } } });

// TanStack AI.
export function tanstack(executor: Executor, adapter: AnyTextAdapter, myServerTools: TanStackTool[]): unknown {
  const codeTool = createTanStackCodeTool({ tools: [tanstackTools(myServerTools), tanstackTools(myServerTools, 'other')], executor });
  const declared: string = generateTanStackTypes(myServerTools, 'ns');
  return [declared, normalizeProviders({ a: { execute: async () => 1 } }), chat({ adapter, tools: [codeTool], messages: [{ role: 'user', content: 'go' }] })];
}
