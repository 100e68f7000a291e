// Connectors: namespaces of tools with approvals, undo and hooks.

import type { JsonSchema } from '../schema';
import { readSchema } from '../schema';
import type { ProviderTool } from './providers';
import { type JsonSchemaToolDescriptors, declareNamespace, sanitizeToolName } from './utilities';

export type ToolExecuteContext = { executionId: string };

export type ConnectorTool = {
  description?: string;
  inputSchema?: JsonSchema;
  outputSchema?: JsonSchema;
  /** Pauses the execution before the call. */
  requiresApproval?: boolean;
  /** `reexecute` stores no result, and calls again after a pause. */
  replay?: 'log' | 'reexecute';
  execute: (args: unknown, ctx?: ToolExecuteContext) => Promise<unknown> | unknown;
  revert?: (args: unknown, result: unknown, ctx?: ToolExecuteContext) => Promise<void> | void;
};

export type ConnectorTools = Record<string, ConnectorTool>;
export type ExecutionEndStatus = 'completed' | 'error' | 'rejected' | 'rolled_back';
export type PassEndStatus = ExecutionEndStatus | 'paused';
export type ToolAnnotations = { requiresApproval?: boolean; replay?: 'log' | 'reexecute' };

export type ConnectorDescription = {
  name: string;
  instructions?: string;
  descriptors: JsonSchemaToolDescriptors;
  annotations?: Record<string, ToolAnnotations>;
};

/** A namespace of tools. `ctx` and `env` are kept, and mean nothing to Isobox. */
export abstract class CodemodeConnector<Env = unknown> {
  protected readonly ctx: unknown;
  protected readonly env: Env;

  constructor(ctx?: unknown, env?: Env) {
    this.ctx = ctx;
    this.env = env as Env;
  }

  /** Returns the namespace. */
  abstract name(): string;

  protected instructions(): string | undefined {
    return undefined;
  }

  protected abstract tools(): ConnectorTools | Promise<ConnectorTools>;

  /** Decorates a tool. */
  protected tool(_name: string, tool: ConnectorTool): ConnectorTool {
    return tool;
  }

  /** Runs after every pass of an execution, also a paused one. */
  async onPassEnd(_executionId: string, _status: PassEndStatus): Promise<void> {}

  /** Runs once an execution has ended. */
  async disposeExecution(_executionId: string, _status: ExecutionEndStatus): Promise<void> {}

  /** Returns the decorated tools. @internal */
  async resolved(): Promise<ConnectorTools> {
    const tools = Object.entries(await this.tools()).map(([name, tool]): [string, ConnectorTool] => [name, this.tool(name, tool)]);
    for (const [name, { requiresApproval, replay }] of tools) {
      if (requiresApproval === true && replay === 'reexecute') {
        throw new TypeError(`${this.name()}.${name}: \`requiresApproval\` and \`replay: "reexecute"\` cannot be combined`);
      }
    }
    return Object.fromEntries(tools);
  }

  async describe(): Promise<ConnectorDescription> {
    const tools = Object.entries(await this.resolved());
    const instructions = this.instructions();
    const descriptors = tools.map(([name, { description, inputSchema = { type: 'object' }, outputSchema }]) => [name, { ...(description !== undefined && { description }), inputSchema, ...(outputSchema !== undefined && { outputSchema }) }]);
    const annotations = tools.filter(([, tool]) => tool.requiresApproval !== undefined || tool.replay !== undefined).map(([name, { requiresApproval, replay }]) => [name, { ...(requiresApproval !== undefined && { requiresApproval }), ...(replay !== undefined && { replay }) }]);
    return { name: this.name(), ...(instructions !== undefined && { instructions }), descriptors: Object.fromEntries(descriptors), annotations: Object.fromEntries(annotations) };
  }

  async executeTool(method: string, args: unknown, ctx?: ToolExecuteContext): Promise<unknown> {
    const tool = (await this.resolved())[method];
    if (tool === undefined) throw new Error(`Tool "${method}" not found on connector "${this.name()}"`);
    return tool.execute(args, ctx);
  }

  /** Undoes a call. Returns whether the tool can. */
  async revertAction(method: string, args: unknown, result: unknown, ctx?: ToolExecuteContext): Promise<boolean> {
    const revert = (await this.resolved())[method]?.revert;
    if (revert === undefined) return false;
    await revert(args, result, ctx);
    return true;
  }

  async getTypeScriptTypes(): Promise<string> {
    return declareNamespace(this.name(), await this.resolved());
  }
}

export interface ToolSetConnectorOptions {
  /** The default is `tools`, which is `toolset` here: `tools` is what all namespaces are below. */
  name?: string;
  instructions?: string;
  tools: Record<string, any>;
}

/** A connector of tools of the AI SDK. Tools without `execute` are left out; `needsApproval` is approval. */
export class ToolSetConnector extends CodemodeConnector {
  readonly #options: ToolSetConnectorOptions;

  constructor(ctx: unknown, options: ToolSetConnectorOptions) {
    super(ctx);
    this.#options = options;
  }

  name(): string {
    const { name = 'toolset' } = this.#options;
    return name === 'tools' ? 'toolset' : name;
  }

  protected override instructions(): string | undefined {
    return this.#options.instructions;
  }

  protected tools(): ConnectorTools {
    const entries = Object.entries(this.#options.tools as Record<string, ProviderTool>).filter(([, { execute }]) => typeof execute === 'function');
    return Object.fromEntries(entries.map(([name, tool]) => [sanitizeToolName(name), connectorTool(name, tool)]));
  }
}

export function toolSetConnector(ctx: unknown, options: ToolSetConnectorOptions): ToolSetConnector {
  return new ToolSetConnector(ctx, options);
}

function connectorTool(name: string, { description, inputSchema, outputSchema, needsApproval, execute }: ProviderTool): ConnectorTool {
  const input = inputSchema === undefined ? undefined : readSchema(inputSchema, 'input', `tools.${name}.inputSchema`);
  const output = outputSchema === undefined ? undefined : readSchema(outputSchema, 'output', `tools.${name}.outputSchema`);
  return {
    ...(description !== undefined && { description }),
    ...(input?.json !== undefined && { inputSchema: input.json }),
    ...(output?.json !== undefined && { outputSchema: output.json }),
    requiresApproval: needsApproval === true || typeof needsApproval === 'function',
    execute: async (args, ctx) => {
      const parsed = input?.parse === undefined ? { value: args } : await input.parse(args);
      if ('problem' in parsed) throw new Error(`Invalid input for tool "${name}": ${parsed.problem}`);
      return execute?.(parsed.value, { toolCallId: ctx?.executionId ?? '', messages: [] });
    },
  };
}
