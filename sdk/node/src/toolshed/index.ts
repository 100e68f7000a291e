// `isobox/toolshed`: the runtime, the elicitation engine and the tools proxy of Toolshed's kernel, over Isobox.

export { ElicitationEngine } from './elicitation';
export type { ElicitationEngineOptions } from './elicitation';
export { buildProxy } from './proxy';
export { RuntimeLocal, RuntimeVercel, createRuntime } from './runtime';
export type {
  CreateRuntimeOptions,
  DescribeTools,
  ElicitationRequest,
  ElicitationResponse,
  ExecutionResult,
  InvokeContext,
  NetworkPolicy,
  PendingElicitation,
  Role,
  Runtime,
  RuntimeConfig,
  SearchTools,
  ToolDefinition,
  ToolInvoker,
  VercelRuntimeConfig,
} from './types';
