// `isobox/cloudflare`: for programs that use `@cloudflare/codemode` outside of Workers.

export * from './connector';
export { IsoboxExecutor, runCode } from './executor';
export type { ConnectorBinding, ExecuteOptions, ExecuteResult, Executor, IsoboxExecutorOptions, ResolvedProvider } from './executor';
export { DEFAULT_DESCRIPTION, aiTools, createCodeTool, generateTypes, normalizeProviders, resolveProvider } from './providers';
export type { CreateCodeToolOptions, ToolProvider, ToolProviderTools } from './providers';
export * from './runtime';
export { generateTypesFromJsonSchema, normalizeCode, sanitizeToolName, truncateResponse, truncateResult } from './utilities';
export type { JsonSchemaToolDescriptor, JsonSchemaToolDescriptors, TruncateOptions } from './utilities';
