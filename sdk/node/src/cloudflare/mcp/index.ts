// `isobox/cloudflare/mcp`: replaces `@cloudflare/codemode/mcp`. `index.mts` is the same for ES modules.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

import { type CodeMcpServerOptions as CodeOptions, type OpenApiMcpServerOptions as OpenApiOptions, type Sdk, servers } from './servers';

export type { RequestOptions } from './servers';
/** The context of the MCP call that runs a program. */
export type OpenApiMcpRequestContext = RequestHandlerExtra<ServerRequest, ServerNotification>;
export type CodeMcpServerOptions = CodeOptions<McpServer>;
export type OpenApiMcpServerOptions = OpenApiOptions<OpenApiMcpRequestContext>;

const made = servers<McpServer, OpenApiMcpRequestContext>({ Client, InMemoryTransport, McpServer, text: (description: string) => z.string().describe(description) } as unknown as Sdk);

/** Wraps a server: the new one has one tool, `code`, whose programs call the tools of the old one. */
export const codeMcpServer: (options: CodeMcpServerOptions) => Promise<McpServer> = made.codeMcpServer;

/** Creates a server for an OpenAPI document: the tool `search` reads the document, and `execute` also makes requests. */
export const openApiMcpServer: (options: OpenApiMcpServerOptions) => McpServer = made.openApiMcpServer;
