// One error class for every code.

import type { Failure } from './outcome';

/** A code of `docs/errors/`. */
export type Code =
  | 'SYNTAX'
  | 'THROWN'
  | 'TIMEOUT'
  | 'ABORTED'
  | 'MEMORY'
  | 'STACK'
  | 'SOURCE_TOO_LARGE'
  | 'RESULT_TOO_LARGE'
  | 'INPUT_TOO_LARGE'
  | 'OUTPUT_TOO_LARGE'
  | 'LOG_LIMIT'
  | 'CALL_LIMIT'
  | 'IN_FLIGHT_LIMIT'
  | 'DETACHED_CALL'
  | 'CHECK'
  | 'UNKNOWN_TOOL'
  | 'INVALID_INPUT'
  | 'INVALID_OUTPUT'
  | 'TOOL'
  | 'APPROVAL_REQUIRED'
  | 'APPROVAL_DENIED'
  | 'REJECTED'
  | 'FETCH'
  | 'SERIALIZATION'
  | 'DIVERGED'
  | 'CONTINUATION'
  | 'CONTINUATION_TOO_LARGE'
  | 'JOURNAL_LIMIT'
  | 'BUSY'
  | 'DEADLOCK'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'CONFIG'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'STORE'
  | 'INTERNAL';

/** A failure of Isobox or of a program. Every code has a class of its own. */
export class IsoboxError extends Error {
  /** The stable code. */
  readonly code: Code;
  /** The name of the error as the program sees it: `TypeError` for a program that threw one. */
  readonly programName: string;
  /** The line in the author's text, from 1. */
  readonly line: number | undefined;
  /** The column in the author's text, from 1. */
  readonly column: number | undefined;
  /** What to do about it. */
  readonly hint: string | undefined;
  /** Further data of the code. */
  readonly details: Readonly<Record<string, unknown>>;
  /** The failure as the outcome has it. */
  readonly failure: Failure;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.message, options);
    this.name = new.target.name;
    this.code = failure.code;
    this.programName = failure.name;
    this.line = failure.line;
    this.column = failure.column;
    this.hint = failure.hint;
    this.details = failure.details ?? {};
    this.failure = failure;
  }
}

/** `SYNTAX`: the source does not parse. */
export class ProgramSyntaxError extends IsoboxError {}
/** `THROWN`: the program threw. */
export class ThrownError extends IsoboxError {}
/** `TIMEOUT`: the program exceeded its wall-clock or CPU time. */
export class TimeoutError extends IsoboxError {}
/** `ABORTED`: the caller cancelled the execution. */
export class AbortedError extends IsoboxError {}
/** `MEMORY`: the program ran out of memory. */
export class MemoryError extends IsoboxError {}
/** `STACK`: the program overflowed its stack. */
export class StackError extends IsoboxError {}
/** `SOURCE_TOO_LARGE`: the source is over its limit. */
export class SourceTooLargeError extends IsoboxError {}
/** `RESULT_TOO_LARGE`: the result is over its limit. */
export class ResultTooLargeError extends IsoboxError {}
/** `INPUT_TOO_LARGE`: the input of a tool is over its limit. */
export class InputTooLargeError extends IsoboxError {}
/** `OUTPUT_TOO_LARGE`: the output of a tool is over its limit. */
export class OutputTooLargeError extends IsoboxError {}
/** `LOG_LIMIT`: the log is full. */
export class LogLimitError extends IsoboxError {}
/** `CALL_LIMIT`: the program made too many calls. */
export class CallLimitError extends IsoboxError {}
/** `IN_FLIGHT_LIMIT`: the program has too many calls in flight. */
export class InFlightLimitError extends IsoboxError {}
/** `DETACHED_CALL`: the program returned and never looked at the promise of a call. */
export class DetachedCallError extends IsoboxError {}
/** `CHECK`: a check before the run found what cannot work. */
export class CheckError extends IsoboxError {}
/** `UNKNOWN_TOOL`: there is no such tool. */
export class UnknownToolError extends IsoboxError {}
/** `INVALID_INPUT`: the input does not fit the tool's schema. */
export class InvalidInputError extends IsoboxError {}
/** `INVALID_OUTPUT`: the output does not fit the tool's schema. */
export class InvalidOutputError extends IsoboxError {}
/** `TOOL`: the tool failed. */
export class ToolFailedError extends IsoboxError {}
/** `APPROVAL_REQUIRED`: a call needs approval, and the run cannot wait for it. */
export class ApprovalRequiredError extends IsoboxError {}
/** `APPROVAL_DENIED`: a person denied the call. */
export class ApprovalDeniedError extends IsoboxError {}
/** `REJECTED`: a person rejected the execution. */
export class RejectedError extends IsoboxError {}
/** `FETCH`: a fetch that the policy refuses, or that fails. */
export class FetchError extends IsoboxError {}
/** `SERIALIZATION`: a value is not JSON. */
export class SerializationError extends IsoboxError {}
/** `DIVERGED`: a replay does not match the journal. */
export class DivergedError extends IsoboxError {}
/** `CONTINUATION`: the continuation is forged, altered, expired, for another audience, or already used. */
export class ContinuationError extends IsoboxError {}
/** `CONTINUATION_TOO_LARGE`: the continuation is over its limit. */
export class ContinuationTooLargeError extends IsoboxError {}
/** `JOURNAL_LIMIT`: the journal of the execution is over its limit. */
export class JournalLimitError extends IsoboxError {}
/** `BUSY`: no capacity is left, and the queue is full. */
export class BusyError extends IsoboxError {}
/** `DEADLOCK`: the program awaits a promise that can never resolve. */
export class DeadlockError extends IsoboxError {}
/** `NOT_FOUND`: the requested object does not exist. */
export class NotFoundError extends IsoboxError {}
/** `CONFLICT`: the request does not match the current state. `details.conflict` says in which way. */
export class ConflictError extends IsoboxError {}
/** `CONFIG`: the configuration is wrong. */
export class ConfigError extends IsoboxError {}
/** `UNAUTHORIZED`: a credential is missing. */
export class UnauthorizedError extends IsoboxError {}
/** `FORBIDDEN`: the policy does not allow the request. */
export class ForbiddenError extends IsoboxError {}
/** `STORE`: the store failed. */
export class StoreError extends IsoboxError {}
/** `INTERNAL`: a defect of Isobox itself. */
export class InternalError extends IsoboxError {}

const CLASSES: Record<Code, new (failure: Failure, options?: ErrorOptions) => IsoboxError> = {
  SYNTAX: ProgramSyntaxError,
  THROWN: ThrownError,
  TIMEOUT: TimeoutError,
  ABORTED: AbortedError,
  MEMORY: MemoryError,
  STACK: StackError,
  SOURCE_TOO_LARGE: SourceTooLargeError,
  RESULT_TOO_LARGE: ResultTooLargeError,
  INPUT_TOO_LARGE: InputTooLargeError,
  OUTPUT_TOO_LARGE: OutputTooLargeError,
  LOG_LIMIT: LogLimitError,
  CALL_LIMIT: CallLimitError,
  IN_FLIGHT_LIMIT: InFlightLimitError,
  DETACHED_CALL: DetachedCallError,
  CHECK: CheckError,
  UNKNOWN_TOOL: UnknownToolError,
  INVALID_INPUT: InvalidInputError,
  INVALID_OUTPUT: InvalidOutputError,
  TOOL: ToolFailedError,
  APPROVAL_REQUIRED: ApprovalRequiredError,
  APPROVAL_DENIED: ApprovalDeniedError,
  REJECTED: RejectedError,
  FETCH: FetchError,
  SERIALIZATION: SerializationError,
  DIVERGED: DivergedError,
  CONTINUATION: ContinuationError,
  CONTINUATION_TOO_LARGE: ContinuationTooLargeError,
  JOURNAL_LIMIT: JournalLimitError,
  BUSY: BusyError,
  DEADLOCK: DeadlockError,
  NOT_FOUND: NotFoundError,
  CONFLICT: ConflictError,
  CONFIG: ConfigError,
  UNAUTHORIZED: UnauthorizedError,
  FORBIDDEN: ForbiddenError,
  STORE: StoreError,
  INTERNAL: InternalError,
};

/** Returns the error for a failure, of the class of its code. */
export function errorOf(failure: Failure, options?: ErrorOptions): IsoboxError {
  return new (CLASSES[failure.code] ?? IsoboxError)(failure, options);
}
