// The error classes of code mode.

/** The base of all errors of code mode. */
export class CodeModeError extends Error {
  /** The stable code. */
  code: string;
  /** Data for diagnostics. */
  details: unknown;

  constructor(message: string, code = 'CODE_MODE_ERROR', details?: unknown) {
    super(message);
    this.name = new.target.name;
    this.code = code;
    this.details = details;
  }
}

/** The invocation exceeded its time-out. */
export class CodeModeTimeoutError extends CodeModeError {
  constructor(timeoutMs: number) {
    super(`Code mode execution timed out after ${timeoutMs}ms.`, 'CODE_MODE_TIMEOUT', { timeoutMs });
  }
}

/** The abort signal of the invocation fired. */
export class CodeModeAbortedError extends CodeModeError {
  constructor() {
    super('Code mode execution was aborted.', 'CODE_MODE_ABORTED');
  }
}

/** As many invocations as `setMaxWorkers` allows are active. */
export class CodeModeConcurrencyError extends CodeModeError {
  constructor(maxWorkers: number) {
    super(`Code mode maxWorkers limit reached (${maxWorkers}).`, 'CODE_MODE_CONCURRENCY_LIMIT', { maxWorkers });
  }
}

/** The source is larger than `executionPolicy.maxSourceBytes`. */
export class CodeModeSourceTooLargeError extends CodeModeError {
  constructor(bytes: number, maxBytes: number) {
    super(`Code mode source exceeds the ${maxBytes} byte size limit.`, 'CODE_MODE_SOURCE_TOO_LARGE', { bytes, maxBytes });
  }
}

/** The program made too many calls, in all or at once. */
export class CodeModeBridgeLimitError extends CodeModeError {
  constructor(message: string, details?: unknown) {
    super(message, 'CODE_MODE_BRIDGE_LIMIT', details);
  }
}

/** The program returned without waiting for a call. */
export class CodeModeDetachedBridgeRequestError extends CodeModeError {
  constructor(message: string, details?: unknown) {
    super(message, 'CODE_MODE_DETACHED_BRIDGE_REQUEST', details);
  }
}

/** A continuation is forged, altered, expired or used, or its program did something else. */
export class CodeModeProtocolError extends CodeModeError {
  constructor(message: string, details?: unknown) {
    super(message, 'CODE_MODE_PROTOCOL_ERROR', details);
  }
}

/** A call of a host tool failed. */
export class CodeModeToolError extends CodeModeError {
  constructor(message: string, details?: unknown, code = 'CODE_MODE_TOOL_ERROR') {
    super(message, code, details);
  }
}

/** A tool needs approval, and nothing approves it. */
export class CodeModeToolApprovalRequiredError extends CodeModeToolError {
  constructor(toolName: string, input: unknown, toolCallId: string) {
    super(`Tool "${toolName}" requires approval before execution.`, { toolName, input, toolCallId }, 'CODE_MODE_TOOL_APPROVAL_REQUIRED');
  }
}

/** The approval of a call was denied. */
export class CodeModeToolApprovalDeniedError extends CodeModeToolError {
  constructor(toolName: string, input: unknown, toolCallId: string, reason?: string) {
    super(`Tool "${toolName}" approval was denied.`, { toolName, input, toolCallId, reason }, 'CODE_MODE_TOOL_APPROVAL_DENIED');
  }
}

/** A `fetch` of the program is not allowed, or failed. */
export class CodeModeFetchError extends CodeModeError {
  constructor(message: string, details?: unknown) {
    super(message, 'CODE_MODE_FETCH_ERROR', details);
  }
}

/** An error in traces. */
export interface SerializableError {
  name: string;
  message: string;
  stack?: string;
  code?: string;
  details?: unknown;
}

/** Describes an error for a trace. */
export function describeError(error: unknown): SerializableError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { code, details } = error as { code?: unknown; details?: unknown };
  return {
    name: error.name,
    message: error.message,
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(typeof code === 'string' && { code }),
    ...(details !== undefined && { details }),
  };
}
