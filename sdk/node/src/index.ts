// The package `isobox`.

export * from './errors';
export type { ApprovalDecision, ApprovalRequest, ErrorPlace, Hooks } from './calls';
export { Executions } from './executions';
export type { CallDecision, ExecutionPage, ExecutionStatus, ListedExecution, Principal, StoredExecution } from './executions';
export { Execution } from './handle';
export { Isobox } from './isobox';
export type { Capacity, ContinuationOptions, Described, IsoboxOptions, RunOptions, SearchResults } from './isobox';
export type { Duration, Limits, Size } from './limits';
export { unwrap } from './outcome';
export type {
  CallRecord,
  CallState,
  Completed,
  Content,
  ExecutionEvent,
  Failed,
  Failure,
  Interrupted,
  Log,
  Outcome,
  Paused,
  PendingCall,
  Plan,
  PlannedCall,
  RolledBack,
  Sleeping,
} from './outcome';
export type { AiSchema, InputOf, JsonSchema, OutputOf, Schema, StandardSchema } from './schema';
export { interrupt, tool, ToolError } from './tool';
export type { Returned, Revert, Tool, ToolContext, ToolOptions, Tools } from './tool';
