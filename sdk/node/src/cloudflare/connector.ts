// Connectors: namespaces of tools with approvals, undo and hooks.

import type { JsonSchema } from '../schema';
import { readSchema, shown } from '../schema';
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
export abstract class CodemodeConnector<Env = unknown, Props = unknown> {
  protected readonly ctx: { readonly props?: Props } & Record<string, any>;
  protected readonly env: Env;
  #resolved: Promise<ConnectorTools> | undefined;

  constructor(ctx?: object, env?: Env) {
    this.ctx = (ctx ?? {}) as { readonly props?: Props };
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

  /** Returns the decorated tools. `tools()` is asked once, and again if it failed. @internal */
  resolved(): Promise<ConnectorTools> {
    this.#resolved ??= this.#resolve();
    this.#resolved.catch(() => (this.#resolved = undefined));
    return this.#resolved;
  }

  async #resolve(): Promise<ConnectorTools> {
    const given = await this.tools();
    if (typeof given !== 'object' || given === null) throw new TypeError(`${this.name()}: tools() returned ${shown(given)}; expected an object of tools`);
    const tools = Object.entries(given).map(([name, tool]): [string, ConnectorTool] => {
      const owner = `${this.name()}.${name}`;
      if (typeof tool?.execute !== 'function') throw new TypeError(`${owner}: \`execute\` is ${shown(tool?.execute)}; expected a function`);
      return [name, this.tool(name, plainTool(owner, tool))];
    });
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
    const annotations = tools
      .filter(([, { requiresApproval, replay }]) => requiresApproval === true || replay === 'reexecute')
      .map(([name, { requiresApproval, replay }]) => [name, { ...(requiresApproval === true && { requiresApproval }), ...(replay === 'reexecute' && { replay }) }]);
    return { name: this.name(), ...(instructions !== undefined && { instructions }), descriptors: Object.fromEntries(descriptors), annotations: Object.fromEntries(annotations) };
  }

  async executeTool(method: string, args: unknown, ctx?: ToolExecuteContext): Promise<unknown> {
    const tools = await this.resolved();
    const tool = Object.hasOwn(tools, method) ? tools[method] : undefined;
    if (tool === undefined) throw new Error(`Tool "${method}" not found on ${this.name()}`);
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

  constructor(ctx: object | undefined, options: ToolSetConnectorOptions) {
    super(ctx);
    const { tools } = options ?? {};
    if (typeof tools !== 'object' || tools === null) throw new TypeError(`new ToolSetConnector(ctx, options): \`tools\` is ${shown(tools)}; expected an object of tools`);
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
    const sources = new Map<string, string>();
    const tools: ConnectorTools = {};
    for (const [source, tool] of Object.entries(this.#options.tools as Record<string, ProviderTool>)) {
      const { execute } = tool;
      if (typeof execute !== 'function') continue;
      const name = sanitizeToolName(source);
      const other = sources.get(name);
      if (other !== undefined) throw new Error(`Tools "${other}" and "${source}" on ${this.name()} both map to "${name}"; rename one of them`);
      sources.set(name, source);
      tools[name] = { ...(tool as ConnectorTool), execute: (args, ctx) => execute(args, { toolCallId: ctx?.executionId ?? '', messages: [] }) };
    }
    return tools;
  }
}

export function toolSetConnector(ctx: object | undefined, options: ToolSetConnectorOptions): ToolSetConnector {
  return new ToolSetConnector(ctx, options);
}

/** Reads a tool: also one of the AI SDK, whose schemas are those of a library and whose approval is `needsApproval`. */
function plainTool(owner: string, tool: ConnectorTool & ProviderTool): ConnectorTool {
  const { description, inputSchema, outputSchema, requiresApproval, needsApproval, replay, execute, revert } = tool;
  const input = inputSchema === undefined ? undefined : readSchema(inputSchema, 'input', `${owner}.inputSchema`);
  const output = outputSchema === undefined ? undefined : readSchema(outputSchema, 'output', `${owner}.outputSchema`);
  const needs = requiresApproval ?? (needsApproval === true || typeof needsApproval === 'function');
  const checked: ConnectorTool['execute'] = async (args, ctx) => {
    const parsed = input?.parse === undefined ? { value: args } : await input.parse(args);
    if ('problem' in parsed) throw new Error(`Invalid input for tool "${owner}": ${parsed.problem}`);
    return execute(parsed.value, ctx);
  };
  return {
    ...(typeof description === 'string' && { description }),
    ...(input?.json !== undefined && { inputSchema: input.json }),
    ...(output?.json !== undefined && { outputSchema: output.json }),
    ...(needs && { requiresApproval: true }),
    ...(replay !== undefined && { replay }),
    execute: checked,
    ...(revert !== undefined && { revert }),
  };
}
