// Approvals: interrupts that wait for a person, as messages of the AI SDK.

import type { ModelMessage } from 'ai';

import { CodeModeProtocolError } from './errors';
import { continueCodeModeInterrupt, getCodeModeInterrupt, isCodeModeInterrupt } from './interrupts';
import { APPROVAL_KIND } from './run';
import type {
  CodeModeApprovalInterrupt,
  CodeModeApprovalResponse,
  CodeModeOptions,
  CodeModeToolExecutionOptions,
  CodeModeToolSet,
} from './types';

/** Tells whether a value is an interrupt of this host that waits for an approval. */
export function isCodeModeApprovalInterrupt(value: unknown): value is CodeModeApprovalInterrupt {
  return isCodeModeInterrupt(value) && value.payload.kind === APPROVAL_KIND;
}

/** Finds an approval interrupt in a result of the AI SDK. */
export function getCodeModeApprovalInterrupt(result: unknown): CodeModeApprovalInterrupt | undefined {
  const interrupt = getCodeModeInterrupt(result);
  return isCodeModeApprovalInterrupt(interrupt) ? interrupt : undefined;
}

/** Continues an invocation after a person has approved or denied its call. */
export async function continueCodeModeApproval(input: {
  interrupt: CodeModeApprovalInterrupt;
  approvalResponse: CodeModeApprovalResponse;
  tools: CodeModeToolSet;
  options?: CodeModeOptions;
  toolExecutionOptions?: Partial<CodeModeToolExecutionOptions>;
}): Promise<unknown> {
  const { interrupt, approvalResponse, tools, options = {}, toolExecutionOptions } = input;
  const { approvalId, approved, reason } = (approvalResponse ?? {}) as Partial<CodeModeApprovalResponse>;
  if (typeof approvalId !== 'string' || typeof approved !== 'boolean' || (reason !== undefined && typeof reason !== 'string')) {
    throw new CodeModeProtocolError('Code mode approval response is malformed.');
  }
  if (approvalId !== interrupt.interruptId) {
    const details = { expectedApprovalId: interrupt.interruptId, receivedApprovalId: approvalId };
    throw new CodeModeProtocolError(`Approval response ${approvalId} does not match pending code-mode approval ${interrupt.interruptId}.`, details);
  }
  return continueCodeModeInterrupt({
    interrupt,
    resolution: { approved, ...(reason !== undefined && { reason }) },
    tools,
    options: { ...options, approval: { ...options.approval, mode: 'interrupt' } },
    ...(toolExecutionOptions && { toolExecutionOptions }),
  });
}

/** Returns messages that ask for the approval of the nested tool, with its own name and input. */
export function toCodeModeApprovalMessages({ interruptId: approvalId, toolCallId, toolName, input }: CodeModeApprovalInterrupt): ModelMessage[] {
  const call = { type: 'tool-call', toolCallId, toolName, input } as const;
  return [{ role: 'assistant', content: [call, { type: 'tool-approval-request', approvalId, toolCallId }] }];
}

/** Finds the answer to an approval interrupt. The last one counts; malformed ones are ignored. */
export function getCodeModeApprovalResponse(messages: ModelMessage[], interrupt: CodeModeApprovalInterrupt): CodeModeApprovalResponse | undefined {
  for (const message of [...messages].reverse()) {
    if (message.role !== 'tool' || !Array.isArray(message.content)) continue;
    for (const part of message.content as { type: string; approvalId?: unknown; approved?: unknown; reason?: unknown; toolCallId?: unknown }[]) {
      if (part.type !== 'tool-approval-response' || part.approvalId !== interrupt.interruptId) continue;
      if (typeof part.approved !== 'boolean' || (part.reason !== undefined && typeof part.reason !== 'string')) continue;
      if (part.toolCallId !== undefined && part.toolCallId !== interrupt.toolCallId) continue;
      return { approvalId: interrupt.interruptId, approved: part.approved, ...(part.reason !== undefined && { reason: part.reason }) };
    }
  }
  return undefined;
}

interface Annotated {
  codeModeApproval: CodeModeApprovalInterrupt | undefined;
  codeModeApprovalMessages: ModelMessage[];
}

/** Adds the approval interrupt of a result, if there is one, and its messages. */
export function attachCodeModeApprovalResult<T extends object>(result: T): T & Annotated {
  const codeModeApproval = getCodeModeApprovalInterrupt(result);
  return Object.assign(result, { codeModeApproval, codeModeApprovalMessages: codeModeApproval ? toCodeModeApprovalMessages(codeModeApproval) : [] });
}

/** Runs `generateText`, and adds the approval interrupt of its result. */
export async function generateTextWithCodeModeApprovals(options: any): Promise<any> {
  const { generateText } = await import('ai');
  return attachCodeModeApprovalResult(await generateText(options));
}

/** Runs `streamText`, and adds a promise of the approval interrupt of its result. */
export function streamTextWithCodeModeApprovals(options: any): any {
  const { streamText } = require('ai') as typeof import('ai');
  return withLateApproval(streamText(options));
}

/** Wraps an agent so that the results of `generate` and `stream` have their approval interrupts. */
export function wrapToolLoopAgentForCodeModeApprovals<T extends object>(agent: T): T {
  return new Proxy(agent, {
    get(target, property) {
      const value = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      if (property === 'generate') return async (...given: unknown[]) => attachCodeModeApprovalResult(await value.apply(target, given));
      if (property === 'stream') return async (...given: unknown[]) => withLateApproval(await value.apply(target, given));
      return value.bind(target);
    },
  });
}

function withLateApproval<T>(result: T): T {
  const { toolResults } = (result ?? {}) as { toolResults?: unknown };
  if (toolResults === undefined) return result;
  const codeModeApproval = Promise.resolve(toolResults).then((results) => getCodeModeApprovalInterrupt({ toolResults: results }));
  return Object.assign(result as object, { codeModeApproval }) as T;
}
