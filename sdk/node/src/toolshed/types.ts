// The types of the kernel.

import type { ElicitationEngine } from './elicitation';

/** A tool of the catalog. Other properties are passed on to `describeTools` and to programs. */
export interface ToolDefinition {
  /** Names of lower case, separated by dots: `github.issues.list`. */
  path: string;
  name?: string;
  description?: string;
  inputSchema?: unknown;
  outputSchema?: unknown;
  /** Whether a person has to approve calls. */
  destructive?: boolean;
  [further: string]: unknown;
}

/** A role: the tools whose paths match one of its patterns. `*` is one name, `**` any number; `*` alone is everything. */
export interface Role {
  id: string;
  name?: string;
  patterns: string[];
}

/** A question to a person. */
export interface ElicitationRequest {
  toolPath: string;
  message: string;
  args?: Record<string, unknown>;
  /** `approval` is a yes or a no; `form` also asks for data. The default is `approval`. */
  type?: 'approval' | 'form';
}

/** A question that is not answered yet. */
export interface PendingElicitation extends ElicitationRequest {
  executionId: string;
  type: 'approval' | 'form';
  /** The time of the question, in milliseconds. */
  createdAt: number;
}

/** An answer. */
export interface ElicitationResponse {
  executionId: string;
  approved: boolean;
  data?: Record<string, unknown>;
}

/** What `invoke` knows of a call. */
export interface InvokeContext {
  executionId: string;
  /** Aborts when the result is no longer needed. */
  signal: AbortSignal;
  /** The same for every attempt of this call. */
  idempotencyKey: string;
  /** Asks a person. The program pauses, and `invoke` is called again once there is an answer. */
  elicit(request: ElicitationRequest): Promise<ElicitationResponse>;
}

/** Calls a tool. */
export type ToolInvoker = (path: string, args: Record<string, unknown>, context: InvokeContext) => unknown;

/** Finds tools. Tools that the role does not allow are left out of the results. */
export type SearchTools = (query: string, limit: number) => ToolDefinition[] | Promise<ToolDefinition[]>;

/** Returns the full definition of a tool. */
export type DescribeTools = (path: string) => unknown;

/** The result of a script. */
export interface ExecutionResult {
  /** False if the script failed. True for a script that is paused. */
  success: boolean;
  value?: unknown;
  error?: string;
  /** The ID of a script that has not ended although there is an error: the store failed, or another process runs it. */
  executionId?: string;
  /** The calls of tools that were made. */
  calls: { path: string; args: Record<string, unknown> }[];
  logs?: { level: string; message: string }[];
  /** The question that the script waits for. */
  paused?: { executionId: string; toolPath: string; message: string; args?: Record<string, unknown> };
}

/** Runs scripts. */
export interface Runtime {
  execute(script: string): Promise<ExecutionResult>;
  /** Lists the paths of the tools that the role allows. */
  availableTools(): string[];
  /** Stops everything. */
  dispose(): Promise<void>;
}

/** The options that all runtimes have. */
export interface RuntimeConfig {
  tools: ToolDefinition[];
  invoke: ToolInvoker;
  /** Without a role, all tools are there. */
  role?: Role;
  /** By default Isobox searches the catalog. */
  searchTools?: SearchTools;
  /** By default the definition of the catalog. */
  describeTools?: DescribeTools;
  /** Asks before destructive tools are called. Without an engine they are called like all others. */
  elicitation?: ElicitationEngine;
  /** The maximum time of a script, in milliseconds, without the time for which it is paused. The default is 300,000. */
  timeoutMs?: number;
  /** The store of paused scripts: `sqlite:PATH`, `postgres://…`, or `memory`, the default. */
  store?: string;
}

/** Accepted, and ignored: scripts have no network. */
export type NetworkPolicy = unknown;

/** The options of `RuntimeVercel`. Those of the service are accepted and ignored: scripts run in Isobox. */
export interface VercelRuntimeConfig extends RuntimeConfig {
  teamId?: string;
  projectId?: string;
  token?: string;
  snapshotId?: string;
  vcpus?: number;
  networkPolicy?: NetworkPolicy;
}

/** The options of `createRuntime`. */
export interface CreateRuntimeOptions extends VercelRuntimeConfig {
  /** Accepted, and ignored: scripts run in Isobox. */
  runtime?: 'local' | 'vercel';
}
