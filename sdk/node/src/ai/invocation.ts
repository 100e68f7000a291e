// One invocation: its nested calls, their trace, hooks and errors.

import { randomHex } from '../random';
import { type Parsed, readSchema } from '../schema';
import { ToolError, type ToolContext, type ToolOptions, interrupt } from '../tool';
import {
  CodeModeError,
  CodeModeProtocolError,
  CodeModeToolApprovalDeniedError,
  CodeModeToolApprovalRequiredError,
  CodeModeToolError,
  describeError,
} from './errors';
import { FETCH_TOOL, type FetchRequest, type FetchRules, fetchWithin } from './fetch';
import { HostInterrupt } from './host-interrupt';
import { Telemetry } from './telemetry';
import type {
  CodeModeFetchRequestEvent,
  CodeModeHook,
  CodeModeInterrupt,
  CodeModeNestedToolCallEvent,
  CodeModeOptions,
  CodeModeToolExecutionOptions,
  CodeModeToolSet,
  CodeModeTraceEntry,
} from './types';

/** A call that waits, with what its events need. */
interface Interrupted {
  event: CodeModeNestedToolCallEvent;
  payload: unknown;
}

export class Invocation {
  readonly id = `code-mode-${randomHex(8)}`;
  readonly startedAtMs = Date.now();
  readonly outerToolCallId: string;
  readonly telemetry: Telemetry;
  readonly trace: CodeModeTraceEntry[] = [];
  readonly #tools: CodeModeToolSet;
  readonly #options: CodeModeOptions;
  readonly #execution: Partial<CodeModeToolExecutionOptions>;
  readonly #rules: FetchRules | undefined;
  /** The name of each tool in programs, which is an identifier. */
  readonly #names = new Map<string, string>();
  readonly #errors = new Map<string, unknown>();
  readonly #interrupted = new Map<string, Interrupted>();

  constructor(tools: CodeModeToolSet, options: CodeModeOptions, execution: Partial<CodeModeToolExecutionOptions>, rules: FetchRules | undefined) {
    this.#tools = tools;
    this.#options = options;
    this.#execution = execution;
    this.#rules = rules;
    this.outerToolCallId = execution.toolCallId ?? this.id;
    this.telemetry = new Telemetry(options.telemetry);
  }

  get toolNames(): string[] {
    return Object.keys(this.#tools);
  }

  /** Returns the ID of a nested call. */
  toolCallId(seq: string): string {
    return `${this.outerToolCallId}:tool-${Number(seq) + 1}`;
  }

  /** Returns the name of a tool that has this name in programs. */
  toolName(path: string): string {
    return this.#names.get(path) ?? path;
  }

  /** Returns what the host threw in a call, if it did. */
  errorOf(seq: string): unknown {
    return this.#errors.get(seq);
  }

  /** Returns the tools for Isobox. */
  bindings(): Record<string, ToolOptions<any, any>> {
    const bindings: Record<string, ToolOptions<any, any>> = {};
    for (const [name, identifier] of identifiers(Object.keys(this.#tools))) {
      this.#names.set(identifier, name);
      bindings[identifier] = {
        execute: (input, context) => this.#call(name, input, context),
        ...(this.#options.approval?.mode === 'interrupt' && { needsApproval: (input: unknown) => this.#needsApproval(name, input, '') }),
      };
    }
    const rules = this.#rules;
    if (rules !== undefined) bindings[FETCH_TOOL] = { execute: (request, context) => this.#fetch(rules, request, context) };
    return bindings;
  }

  /** Checks an input with the schema of its tool. */
  async validated(name: string, input: unknown): Promise<Parsed> {
    const schema = schemaOf(this.#tools[name]);
    const { parse } = schema === undefined ? { parse: undefined } : readSchema(schema, 'input', `tools.${name}.inputSchema`);
    return parse === undefined ? { value: input } : parse(input);
  }

  /** Reports the call that the program waits for, once its interrupt is known. */
  async reportInterrupt(seq: string, made: CodeModeInterrupt, input: unknown): Promise<void> {
    const event = this.#interrupted.get(seq)?.event ?? this.#toolEvent(made.toolName, seq, input, Date.now());
    if (!this.#interrupted.has(seq)) await this.emit('onNestedToolCall', event);
    const completedAtMs = Date.now();
    const durationMs = completedAtMs - event.startedAtMs;
    await this.emit('onNestedToolResult', { ...event, completedAtMs, durationMs, status: 'interrupted', interrupt: made });
    const { toolName, toolCallId, bridgeIndex, replayed, startedAtMs, inputBytes } = event;
    this.trace.push({
      kind: 'tool', bridgeIndex, toolName, toolCallId, status: 'interrupted', replayed, startedAtMs, completedAtMs, durationMs, inputBytes,
      interruptType: made.type,
    });
    await this.emit('onInterrupt', { invocationId: this.id, outerToolCallId: this.outerToolCallId, interrupt: made });
  }

  /** Returns the payload of the interrupt of a call, if its tool asked for one. */
  payloadOf(seq: string): unknown {
    return this.#interrupted.get(seq)?.payload;
  }

  /** Calls a hook. Its errors change nothing. */
  async emit(hook: CodeModeHook, event: any): Promise<void> {
    const { lifecycle } = this.#options;
    try {
      await lifecycle?.[hook]?.(event);
    } catch (error) {
      try {
        await lifecycle?.onHookError?.(error, { hook, event });
      } catch {
        // Nothing else is told.
      }
    }
  }

  #toolEvent(toolName: string, seq: string, input: unknown, startedAtMs: number): CodeModeNestedToolCallEvent {
    const { id: invocationId, outerToolCallId } = this;
    const bridgeIndex = Number(seq) + 1;
    const toolCallId = this.toolCallId(seq);
    return { invocationId, outerToolCallId, bridgeIndex, toolName, input, inputBytes: bytesOf(input), toolCallId, replayed: false, startedAtMs };
  }

  async #call(name: string, input: unknown, context: ToolContext): Promise<unknown> {
    const { seq } = context;
    const event = this.#toolEvent(name, seq, input, Date.now());
    const span = this.telemetry.start('ai.code_mode.nested_tool', {
      'code_mode.invocation.id': this.id,
      'code_mode.outer_tool_call.id': this.outerToolCallId,
      'code_mode.bridge.index': event.bridgeIndex,
      'code_mode.tool.name': name,
      'code_mode.tool_call.id': event.toolCallId,
      'code_mode.replayed': false,
      ...(this.telemetry.recordsInputs && { 'code_mode.tool.input.bytes': event.inputBytes }),
    });
    await this.emit('onNestedToolCall', event);
    const ended = (): { completedAtMs: number; durationMs: number } => {
      const completedAtMs = Date.now();
      return { completedAtMs, durationMs: completedAtMs - event.startedAtMs };
    };
    const entry = { kind: 'tool', bridgeIndex: event.bridgeIndex, toolName: name, toolCallId: event.toolCallId, replayed: false, startedAtMs: event.startedAtMs, inputBytes: event.inputBytes } as const;
    try {
      const output = await this.#execute(name, input, context);
      const outputBytes = bytesOf(output);
      const times = ended();
      this.trace.push({ ...entry, ...times, status: 'fulfilled', outputBytes });
      span?.set({ 'code_mode.status': 'fulfilled', ...(this.telemetry.recordsOutputs && { 'code_mode.tool.output.bytes': outputBytes }) });
      await this.emit('onNestedToolResult', { ...event, ...times, status: 'fulfilled', outputBytes, output });
      return output;
    } catch (error) {
      if (error instanceof HostInterrupt) {
        span?.set({ 'code_mode.status': 'interrupted' });
        this.#interrupted.set(seq, { event, payload: error.payload });
        // Wrapped, because Isobox keeps the field `continuation` of a payload to itself.
        interrupt({ payload: error.payload });
      }
      this.#errors.set(seq, error);
      const times = ended();
      this.trace.push({ ...entry, ...times, status: 'rejected', error: describeError(error) });
      span?.fail(error);
      span?.set({ 'code_mode.status': 'rejected' });
      await this.emit('onNestedToolResult', { ...event, ...times, status: 'rejected', error });
      throw safe(error, 'Host tool failed.');
    } finally {
      span?.end();
    }
  }

  async #execute(name: string, input: unknown, context: ToolContext): Promise<unknown> {
    const tool = this.#tools[name];
    if (typeof tool?.execute !== 'function') throw new CodeModeToolError(`Tool "${name}" does not have execute().`, { toolName: name });
    const parsed = await this.validated(name, input);
    if ('problem' in parsed) {
      throw new CodeModeToolError(`Invalid input for tool "${name}": ${parsed.problem}`, { toolName: name, input, cause: parsed.problem });
    }
    const toolCallId = this.toolCallId(context.seq);
    if (this.#options.approval?.mode !== 'interrupt') await this.#askApproval(name, parsed.value, toolCallId);
    const { experimental_context, context: given, ...rest } = this.#execution;
    const shared = experimental_context ?? given;
    const options = {
      messages: [],
      ...rest,
      ...(shared !== undefined && { experimental_context: shared, context: shared }),
      toolCallId,
      abortSignal: context.signal,
      ...(context.resolution !== undefined && {
        codeModeInterrupt: { interruptId: `${toolCallId}:interrupt`, payload: (context.interrupt as { payload?: unknown } | null)?.payload, resolution: context.resolution },
      }),
    };
    let output: unknown = tool.execute(parsed.value, options as any);
    if (typeof output === 'object' && output !== null && Symbol.asyncIterator in output) {
      let last: unknown;
      for await (const part of output as AsyncIterable<unknown>) last = part;
      return last;
    }
    output = await output;
    return output;
  }

  /** Tells whether a call needs approval. A call whose input is not valid does not: it fails. */
  async #needsApproval(name: string, input: unknown, toolCallId: string): Promise<boolean> {
    const needs = this.#tools[name]?.needsApproval as boolean | ((input: unknown, options: object) => boolean | PromiseLike<boolean>) | undefined;
    if (needs === undefined || needs === null || needs === false) return false;
    const parsed = await this.validated(name, input);
    if ('problem' in parsed) return false;
    if (needs === true) return true;
    const { messages = [], experimental_context, context } = this.#execution;
    return needs(parsed.value, { toolCallId, messages, experimental_context, context });
  }

  async #askApproval(toolName: string, input: unknown, toolCallId: string): Promise<void> {
    if (!(await this.#needsApproval(toolName, input, toolCallId))) return;
    const decision: any = await this.#options.approval?.onApprovalRequired?.({ toolName, input, toolCallId });
    if (decision === undefined) throw new CodeModeToolApprovalRequiredError(toolName, input, toolCallId);
    const approved = typeof decision === 'string' ? decision === 'approved' : decision?.approved;
    const reason = typeof decision === 'string' ? undefined : decision?.reason;
    if (typeof approved !== 'boolean' || (reason !== undefined && typeof reason !== 'string')) {
      throw new CodeModeProtocolError(`Tool "${toolName}" approval callback returned a malformed approval decision.`, { toolName, toolCallId });
    }
    if (!approved) throw new CodeModeToolApprovalDeniedError(toolName, input, toolCallId, reason);
  }

  async #fetch(rules: FetchRules, request: FetchRequest, { seq, signal }: ToolContext): Promise<unknown> {
    const { url, method } = request;
    const bridgeIndex = Number(seq) + 1;
    const startedAtMs = Date.now();
    const { id: invocationId, outerToolCallId } = this;
    const event: CodeModeFetchRequestEvent = { invocationId, outerToolCallId, bridgeIndex, url, method, inputBytes: bytesOf(request), replayed: false, startedAtMs };
    const span = this.telemetry.start('ai.code_mode.fetch', {
      'code_mode.invocation.id': invocationId,
      'code_mode.outer_tool_call.id': outerToolCallId,
      'code_mode.bridge.index': bridgeIndex,
      'code_mode.fetch.url': url,
      'code_mode.fetch.method': method,
      'code_mode.replayed': false,
      ...(this.telemetry.recordsInputs && { 'code_mode.fetch.input.bytes': event.inputBytes }),
    });
    await this.emit('onFetchRequest', event);
    const entry = { kind: 'fetch', bridgeIndex, url, method, replayed: false, startedAtMs, inputBytes: event.inputBytes } as const;
    const ended = (): { completedAtMs: number; durationMs: number } => ({ completedAtMs: Date.now(), durationMs: Date.now() - startedAtMs });
    try {
      const response = await fetchWithin(rules, request, signal);
      const outputBytes = bytesOf(response);
      const times = ended();
      this.trace.push({ ...entry, ...times, status: 'fulfilled', outputBytes });
      span?.set({ 'code_mode.status': 'fulfilled', ...(this.telemetry.recordsOutputs && { 'code_mode.fetch.output.bytes': outputBytes }) });
      await this.emit('onFetchResult', { ...event, ...times, status: 'fulfilled', outputBytes });
      return response;
    } catch (error) {
      this.#errors.set(seq, error);
      const times = ended();
      this.trace.push({ ...entry, ...times, status: 'rejected', error: describeError(error) });
      span?.fail(error);
      await this.emit('onFetchResult', { ...event, ...times, status: 'rejected', error });
      throw safe(error, 'Host fetch failed.');
    } finally {
      span?.end();
    }
  }
}

/** Returns what a program may know of an error of the host. */
function safe(error: unknown, message: string): ToolError {
  return new ToolError(error instanceof CodeModeError ? error.message : message);
}

/** Returns the schema of a tool. The AI SDK also takes a function that returns one. */
export function schemaOf(tool: { inputSchema?: unknown } | undefined): unknown {
  const schema = tool?.inputSchema;
  return typeof schema === 'function' && !('~standard' in schema) ? schema() : schema;
}

/** Returns an identifier for each name: `my-tool` is `my_tool` in programs. */
export function identifiers(names: string[]): [name: string, identifier: string][] {
  const taken = new Set(names);
  return names.map((name) => {
    if (/^[A-Za-z_$][\w$]*$/.test(name)) return [name, name];
    let identifier = name.replace(/[^\w$]/g, '_').replace(/^(?=\d)/, '_');
    while (taken.has(identifier)) identifier += '_';
    taken.add(identifier);
    return [name, identifier];
  });
}

function bytesOf(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value) ?? '');
  } catch {
    return 0;
  }
}
