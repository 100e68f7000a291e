// The package `isobox`.

export * from './errors';
export type { ApprovalDecision, ApprovalRequest, ErrorPlace, Hooks } from './calls';
export { Executions } from './executions';
export type { CallDecision, ExecutionPage, ExecutionStatus, ListedExecution, Principal, Replay, StoredExecution, Woken } from './executions';
export { Execution } from './handle';
export { Isobox } from './isobox';
export type { Capacity, ContinuationOptions, Described, IsoboxOptions, SearchResults, SyntaxRule, SyntaxSubject, TimingOptions } from './isobox';
export type { Duration, Limits, Size } from './limits';
export type { ModuleOptions } from './modules';
export { unwrap } from './outcome';
export type {
  CallRecord,
  CallState,
  Completed,
  Content,
  ExecutionEvent,
  Failed,
  Failure,
  Finding,
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
export type { Files } from './program';
export type { RunOptions } from './run-options';
export { Sessions } from './sessions';
export type { Session } from './sessions';
export { Snippets } from './snippets';
export type { ListedSnippet, Snippet, SnippetExample, SnippetOptions, SnippetTrust, TestedExample } from './snippets';
export type { AiSchema, InputOf, JsonSchema, OutputOf, Schema, StandardSchema } from './schema';
export { interrupt, tool, ToolError } from './tool';
export type { Returned, Revert, Tool, ToolContext, ToolOptions, Tools } from './tool';
