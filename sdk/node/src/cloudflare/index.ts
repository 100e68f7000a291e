// `isobox/cloudflare`: for programs that use `@cloudflare/codemode` outside of Workers.

export { normalizeCode } from './code';
export * from './connector';
export { IsoboxExecutor as DynamicWorkerExecutor, IsoboxExecutor, ToolDispatcher, runCode } from './executor';
export type { IsoboxExecutorOptions as DynamicWorkerExecutorOptions, ConnectorBinding, ExecuteOptions, ExecuteResult, Executor, Fetcher, IsoboxExecutorOptions, ResolvedProvider } from './executor';
export { jsonSchemaToType } from './json-schema';
export { McpConnector } from './mcp-connector';
export type { McpConnectionLike, McpTool } from './mcp-connector';
export { OpenApiConnector } from './openapi-connector';
export type { OpenApiRequestOptions } from './openapi-connector';
export { DEFAULT_DESCRIPTION, aiTools, createCodeTool, generateTypes, normalizeProviders, resolveProvider } from './providers';
export type { CodeInput, CodeOutput, CreateCodeToolOptions, ToolDescriptor, ToolDescriptors, ToolProvider, ToolProviderTools } from './providers';
export * from './runtime';
export { generateTypesFromJsonSchema, sanitizeToolName, truncateResponse, truncateResult } from './utilities';
export type { JsonSchemaToolDescriptor, JsonSchemaToolDescriptors, TruncateOptions } from './utilities';
