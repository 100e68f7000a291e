// A connector whose tools are those of an MCP connection.

import type { JsonSchema } from '../schema';
import { shown } from '../schema';
import { CodemodeConnector, type ConnectorDescription, type ConnectorTool, type ConnectorTools } from './connector';
import { isValidSchema } from './json-schema';
import { plainResult } from './mcp-result';
import { sanitizeToolName } from './utilities';

/** A tool as an MCP server lists it. */
export interface McpTool {
  name: string;
  description?: string | undefined;
  inputSchema?: unknown;
  outputSchema?: unknown;
}

/** A connection to an MCP server: a `Client` of the MCP SDK, and the tools of its server. */
export interface McpConnectionLike {
  name?: string;
  client: { callTool(params: { name: string; arguments?: Record<string, unknown> }, ...more: any[]): Promise<unknown> };
  instructions?: string;
  /** The tools. If there are none, `fetchTools` is asked. */
  tools?: McpTool[];
  fetchTools?: () => Promise<McpTool[]>;
}

/** A connector with one method for each tool of an MCP connection. */
export abstract class McpConnector<Env = unknown, Props = unknown> extends CodemodeConnector<Env, Props> {
  #connection: Promise<McpConnectionLike> | undefined;

  /** Returns the connection. It is asked once, and again if it failed. */
  protected abstract createConnection(): McpConnectionLike | Promise<McpConnectionLike>;

  /** Returns the name of a method. Override it if the names of two tools become the same. */
  protected toolName(tool: McpTool): string {
    return sanitizeToolName(tool.name);
  }

  protected async tools(): Promise<ConnectorTools> {
    const { tools: given = [], fetchTools } = await this.#connected();
    const listed = given.length > 0 || fetchTools === undefined ? given : await fetchTools();
    const tools = new Map<string, { source: string; tool: ConnectorTool }>();
    for (const tool of listed) {
      const name = this.toolName(tool);
      const other = tools.get(name);
      if (other !== undefined) {
        throw new Error(`MCP tools "${other.source}" and "${tool.name}" on ${this.name()} both map to "${name}". Override toolName() to disambiguate.`);
      }
      tools.set(name, { source: tool.name, tool: this.#method(tool) });
    }
    return Object.fromEntries([...tools].map(([name, { tool }]) => [name, tool]));
  }

  override async describe(): Promise<ConnectorDescription> {
    const description = await super.describe();
    const { instructions } = await this.#connected();
    if (!instructions) return description;
    return { ...description, instructions: [instructions, description.instructions].filter(Boolean).join('\n\n') };
  }

  /** A schema that is not a JSON Schema is left out: the server checks its inputs. */
  #method({ name, description, inputSchema, outputSchema }: McpTool): ConnectorTool {
    return {
      ...(description !== undefined && { description }),
      ...(isValidSchema(inputSchema) && { inputSchema: inputSchema as JsonSchema }),
      ...(isValidSchema(outputSchema) && { outputSchema: outputSchema as JsonSchema }),
      execute: async (args) => {
        const { client } = await this.#connected();
        return plainResult(await client.callTool({ name, arguments: args as Record<string, unknown> }));
      },
    };
  }

  async #connected(): Promise<McpConnectionLike> {
    this.#connection ??= Promise.resolve(this.createConnection()).then((connection) => {
      if (typeof connection?.client?.callTool !== 'function') {
        throw new TypeError(`${this.name()}: createConnection() returned ${shown(connection)}; expected { client } with the method callTool`);
      }
      return connection;
    });
    try {
      return await this.#connection;
    } catch (error) {
      this.#connection = undefined;
      throw error;
    }
  }
}
