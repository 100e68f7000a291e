// `isobox/ai`: replaces `experimental-ai-sdk-code-mode`.

export {
  attachCodeModeApprovalResult,
  continueCodeModeApproval,
  generateTextWithCodeModeApprovals,
  getCodeModeApprovalInterrupt,
  getCodeModeApprovalResponse,
  isCodeModeApprovalInterrupt,
  streamTextWithCodeModeApprovals,
  toCodeModeApprovalMessages,
  wrapToolLoopAgentForCodeModeApprovals,
} from './approvals';
export { createCodeModeTool } from './code-mode-tool';
export type { CodeModeAiTool } from './code-mode-tool';
export {
  CodeModeAbortedError,
  CodeModeBridgeLimitError,
  CodeModeConcurrencyError,
  CodeModeDetachedBridgeRequestError,
  CodeModeError,
  CodeModeFetchError,
  CodeModeProtocolError,
  CodeModeSourceTooLargeError,
  CodeModeTimeoutError,
  CodeModeToolApprovalDeniedError,
  CodeModeToolApprovalRequiredError,
  CodeModeToolError,
} from './errors';
export { requestCodeModeInterrupt } from './host-interrupt';
export { continueCodeModeInterrupt, getCodeModeInterrupt, isCodeModeInterrupt, replaceCodeModeInterruptResult, unwrapCodeModeResult } from './interrupts';
export { runCodeMode } from './run';
export { getCodeModeWorkerUrl, getDefaultCodeModeWorkerUrl, setCodeModeWorkerUrl, setMaxWorkers } from './runtime';
export { setCodeModeContinuationSigningKey } from './signing';
export type * from './types';
