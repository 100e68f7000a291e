// `isobox/cloudflare/ai`: replaces `@cloudflare/codemode/ai`.

export { ToolSetConnector, toolSetConnector } from './connector';
export type { ToolSetConnectorOptions } from './connector';
export { DEFAULT_DESCRIPTION, aiTools, createCodeTool, generateTypes, normalizeProviders, resolveProvider } from './providers';
export type { CodeInput, CodeOutput, CreateCodeToolOptions, ToolDescriptor, ToolDescriptors, ToolProvider, ToolProviderTools } from './providers';
