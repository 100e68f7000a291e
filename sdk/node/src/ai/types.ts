// The types of code mode, with the names of `experimental-ai-sdk-code-mode`.

import type { ModelMessage, Tool } from 'ai';

import type { SerializableError } from './errors';

/** Host tools: each is `tools[name](input)` in a program. */
export type CodeModeToolSet = Record<string, Tool<any, any>>;

/** What a nested tool receives beside its input. */
export interface CodeModeToolExecutionOptions {
  /** The call of the outer tool; a nested tool gets an ID of its own. */
  toolCallId: string;
  messages: ModelMessage[];
  abortSignal?: AbortSignal;
  /** The context of AI SDK 6. */
  experimental_context?: unknown;
  /** The context of AI SDK 7. */
  context?: unknown;
  /** The interrupt that is being resolved, when the tool runs again. */
  codeModeInterrupt?: CodeModeInterruptExecutionContext<any, any>;
}

/** The input of the tool of `createCodeModeTool`. */
export interface CodeModeToolInput {
  js: string;
}

export type ApprovalDecision = 'approved' | 'denied' | { approved: boolean; reason?: string };

/** What `approval.onApprovalRequired` is asked. */
export interface CodeModeApprovalRequest {
  toolName: string;
  input: unknown;
  toolCallId: string;
}

/** The answer of a person, as AI SDK messages carry it. */
export interface CodeModeApprovalResponse {
  /** The `interruptId` of the interrupt. */
  approvalId: string;
  approved: boolean;
  reason?: string;
}

export interface CodeModeApprovalResolution {
  approved: boolean;
  reason?: string;
}

/** The payload of an interrupt, as JSON. */
export interface CodeModeInterruptPayload {
  kind: string;
  [key: string]: unknown;
}

export interface CodeModeInterruptResolution<TResolution = unknown> {
  interruptId: string;
  resolution: TResolution;
}

export interface CodeModeInterruptExecutionContext<
  TPayload extends CodeModeInterruptPayload = CodeModeInterruptPayload,
  TResolution = unknown,
> {
  interruptId: string;
  payload: TPayload;
  resolution: TResolution;
}

/** The proof that this host made a continuation. */
export interface CodeModeContinuationAuth {
  alg: 'HMAC-SHA256';
  nonce: string;
  issuedAtMs: number;
  expiresAtMs: number;
  signature: string;
}

/** A paused program. Opaque: the program, its state and its calls are encrypted in `sealed`. */
export interface CodeModeContinuation {
  version: 1;
  outerToolCallId: string;
  /** The execution that was shown, and its revision. A resolution of another pause is refused. */
  executionId: string;
  revision: number;
  /** The number of the call that waits. */
  seq: string;
  /** Whether the call waits for an approval. */
  approval: boolean;
  sealed: string;
  auth: CodeModeContinuationAuth;
}

/** A program that waits for something outside. JSON: keep the whole value, and pass it to `continueCodeModeInterrupt`. */
export interface CodeModeInterrupt<TPayload extends CodeModeInterruptPayload = CodeModeInterruptPayload> {
  type: 'code-mode-interrupt';
  /** `<toolCallId>:interrupt`. */
  interruptId: string;
  toolName: string;
  /** The ID of the nested call. */
  toolCallId: string;
  outerToolCallId: string;
  input: unknown;
  payload: TPayload;
  continuation: CodeModeContinuation;
}

export type CodeModeUnwrappedResult =
  | { status: 'completed'; output: unknown }
  | { status: 'interrupted'; interrupt: CodeModeInterrupt };

export interface CodeModeApprovalInterruptPayload extends CodeModeInterruptPayload {
  kind: 'ai-sdk-code-mode/tool-approval';
}

export type CodeModeApprovalInterrupt = CodeModeInterrupt<CodeModeApprovalInterruptPayload>;

interface Timed {
  bridgeIndex: number;
  /** Whether the call was made by an earlier part of the program. */
  replayed: boolean;
  startedAtMs: number;
  completedAtMs: number;
  durationMs: number;
  inputBytes: number;
  outputBytes?: number;
  error?: SerializableError;
}

export type CodeModeTraceEntry =
  | (Timed & {
      kind: 'tool';
      toolName: string;
      toolCallId: string;
      status: 'fulfilled' | 'rejected' | 'interrupted';
      interruptType?: CodeModeInterrupt['type'];
    })
  | (Timed & { kind: 'fetch'; url: string; method: string; status: 'fulfilled' | 'rejected' });

/** What one invocation did. */
export interface CodeModeTrace {
  invocationId: string;
  outerToolCallId: string;
  status: 'completed' | 'failed' | 'interrupted';
  startedAtMs: number;
  completedAtMs: number;
  durationMs: number;
  bridgeRequests: CodeModeTraceEntry[];
  interruptedBy?: CodeModeInterrupt['type'];
  error?: SerializableError;
}

export type CodeModeModelVisibleBridgeSummary =
  | { kind: 'tool'; toolName: string; toolCallId: string; status: CodeModeTraceEntry['status']; replayed: boolean; output?: unknown }
  | { kind: 'fetch'; url: string; method: string; status: 'fulfilled' | 'rejected'; replayed: boolean };

export interface CodeModeModelOutputOptions {
  includeNestedToolSummary?: boolean;
  /** Implies `includeNestedToolSummary`. */
  includeNestedToolOutputs?: boolean;
  includeFetchSummary?: boolean;
  /** The default is 32. */
  maxSummaryEntries?: number;
}

export interface CodeModeModelOutput {
  result: unknown;
  nestedTools: CodeModeModelVisibleBridgeSummary[];
}

export interface CodeModeTelemetryOptions {
  isEnabled?: boolean;
  /** A tracer of OpenTelemetry. */
  tracer?: unknown;
  /** Whether the sizes of inputs are recorded. */
  recordInputs?: boolean;
  /** Whether the sizes of outputs are recorded. */
  recordOutputs?: boolean;
  functionId?: string;
  metadata?: Record<string, unknown>;
}

interface InvocationEvent {
  invocationId: string;
  outerToolCallId: string;
}

export interface CodeModeNestedToolCallEvent extends InvocationEvent {
  bridgeIndex: number;
  toolName: string;
  input: unknown;
  inputBytes: number;
  toolCallId: string;
  replayed: boolean;
  startedAtMs: number;
}

export type CodeModeNestedToolResultEvent = CodeModeNestedToolCallEvent & { completedAtMs: number; durationMs: number } & (
    | { status: 'fulfilled'; outputBytes: number; output: unknown }
    | { status: 'rejected'; error: unknown }
    | { status: 'interrupted'; interrupt: CodeModeInterrupt }
  );

export interface CodeModeFetchRequestEvent extends InvocationEvent {
  bridgeIndex: number;
  url: string;
  method: string;
  inputBytes: number;
  replayed: boolean;
  startedAtMs: number;
}

export type CodeModeFetchResultEvent = CodeModeFetchRequestEvent & { completedAtMs: number; durationMs: number } & (
    | { status: 'fulfilled'; outputBytes: number }
    | { status: 'rejected'; error: unknown }
  );

export interface CodeModeInterruptEvent extends InvocationEvent {
  interrupt: CodeModeInterrupt;
}

export type CodeModeHook = 'onNestedToolCall' | 'onNestedToolResult' | 'onFetchRequest' | 'onFetchResult' | 'onInterrupt' | 'onTrace';

export interface CodeModeLifecycleHookErrorEvent {
  hook: CodeModeHook;
  event:
    | CodeModeNestedToolCallEvent
    | CodeModeNestedToolResultEvent
    | CodeModeFetchRequestEvent
    | CodeModeFetchResultEvent
    | CodeModeInterruptEvent
    | CodeModeTrace;
}

export interface CodeModeFetchPolicy {
  fetch?: typeof globalThis.fetch;
  allowedOrigins?: string[];
  /** Origins with a path, without query and fragment. */
  allowedUrlPrefixes?: string[];
  /** The default is `GET` and `HEAD`. */
  allowedMethods?: string[];
  maxResponseBytes?: number;
  allowRedirects?: boolean;
  maxRedirects?: number;
}

export interface CodeModeExecutionPolicy {
  timeoutMs?: number;
  memoryLimitBytes?: number;
  maxStackSizeBytes?: number;
  maxResultBytes?: number;
  maxSourceBytes?: number;
  maxToolInputBytes?: number;
  maxToolOutputBytes?: number;
  maxBridgeRequests?: number;
  maxInFlightBridgeRequests?: number;
}

export interface CodeModeOptions {
  executionPolicy?: CodeModeExecutionPolicy;
  fetchPolicy?: false | CodeModeFetchPolicy;
  approval?: {
    mode?: 'callback' | 'interrupt';
    onApprovalRequired?: (request: CodeModeApprovalRequest) => Promise<ApprovalDecision> | ApprovalDecision;
  };
  lifecycle?: {
    onNestedToolCall?: (event: CodeModeNestedToolCallEvent) => Promise<void> | void;
    onNestedToolResult?: (event: CodeModeNestedToolResultEvent) => Promise<void> | void;
    onFetchRequest?: (event: CodeModeFetchRequestEvent) => Promise<void> | void;
    onFetchResult?: (event: CodeModeFetchResultEvent) => Promise<void> | void;
    onInterrupt?: (event: CodeModeInterruptEvent) => Promise<void> | void;
    onTrace?: (trace: CodeModeTrace) => Promise<void> | void;
    onHookError?: (error: unknown, event: CodeModeLifecycleHookErrorEvent) => Promise<void> | void;
  };
  telemetry?: CodeModeTelemetryOptions;
  modelOutput?: CodeModeModelOutputOptions;
}

/** The input of `runCodeMode`. */
export interface RunCodeModeInput {
  js: string;
  tools: CodeModeToolSet;
  toolExecutionOptions?: Partial<CodeModeToolExecutionOptions>;
  options?: CodeModeOptions;
  continuation?: CodeModeContinuation;
  interruptResolution?: CodeModeInterruptResolution;
}

/** Where a worker would be. There is none: accepted and ignored. */
export type CodeModeWorkerUrl = string | URL;
