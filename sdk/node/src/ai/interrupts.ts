// Interrupts: recognising them, continuing them, and putting the final result in their place.

import type { ModelMessage } from 'ai';

import { CodeModeProtocolError } from './errors';
import { defaultModelOutput } from './model-output';
import { runCodeMode } from './run';
import { verify } from './signing';
import type { CodeModeInterrupt, CodeModeOptions, CodeModeToolExecutionOptions, CodeModeToolSet, CodeModeUnwrappedResult } from './types';

const isRecord = (value: unknown): value is Record<string, any> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Tells whether a value is an interrupt of this host. A program can return the same shape, and cannot sign it. */
export function isCodeModeInterrupt(value: unknown): value is CodeModeInterrupt {
  const isOne =
    isRecord(value) &&
    value['type'] === 'code-mode-interrupt' &&
    ['interruptId', 'toolName', 'toolCallId', 'outerToolCallId'].every((key) => typeof value[key] === 'string') &&
    isRecord(value['payload']) &&
    typeof value['payload']['kind'] === 'string';
  if (!isOne) return false;
  try {
    verify((value as unknown as CodeModeInterrupt).continuation);
    return true;
  } catch {
    return false;
  }
}

/** Tells whether a result of code mode is complete. */
export function unwrapCodeModeResult(result: unknown): CodeModeUnwrappedResult {
  const interrupt = getCodeModeInterrupt(result);
  return interrupt === undefined ? { status: 'completed', output: result } : { status: 'interrupted', interrupt };
}

/** Finds an interrupt: the value itself, the output of a tool, or in a result of the AI SDK with `toolResults` or `steps`. */
export function getCodeModeInterrupt(result: unknown): CodeModeInterrupt | undefined {
  if (isCodeModeInterrupt(result)) return result;
  if (!isRecord(result)) return undefined;
  if (result['type'] === 'json' && isCodeModeInterrupt(result['value'])) return result['value'];
  const candidates: unknown[] = [];
  for (const key of ['toolResults', 'content', 'steps']) if (Array.isArray(result[key])) candidates.push(...[...result[key]].reverse());
  // Results of the AI SDK have a getter `output` that throws where there is none.
  if (candidates.length === 0) candidates.push(result['output'], result['result']);
  for (const candidate of candidates) {
    if (candidate === undefined || candidate === result) continue;
    const found = getCodeModeInterrupt(candidate);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Continues an interrupted invocation. The tool that interrupted runs again with the resolution; nothing else does. */
export async function continueCodeModeInterrupt(input: {
  interrupt: CodeModeInterrupt;
  resolution: unknown;
  tools: CodeModeToolSet;
  options?: CodeModeOptions;
  toolExecutionOptions?: Partial<CodeModeToolExecutionOptions>;
}): Promise<unknown> {
  const { interrupt, resolution, tools, options, toolExecutionOptions } = input;
  const { continuation, interruptId } = interrupt ?? {};
  if (continuation === undefined) throw new CodeModeProtocolError('The interrupt has no continuation.');
  return runCodeMode({
    js: '',
    tools,
    continuation,
    interruptResolution: { interruptId, resolution },
    ...(options && { options: continuation.approval ? { ...options, approval: { ...options.approval, mode: 'interrupt' } } : options }),
    ...(options === undefined && continuation.approval && { options: { approval: { mode: 'interrupt' } } }),
    ...(toolExecutionOptions && { toolExecutionOptions }),
  });
}

/** Returns the messages with the final output in the place of the interrupt. */
export function replaceCodeModeInterruptResult(messages: ModelMessage[], interrupt: CodeModeInterrupt, finalOutput: unknown): ModelMessage[] {
  return messages.map((message) => {
    if (message.role !== 'tool' || !Array.isArray(message.content)) return message;
    const isIt = (part: { type: string; toolCallId?: string }): boolean => part.type === 'tool-result' && part.toolCallId === interrupt.outerToolCallId;
    if (!message.content.some(isIt)) return message;
    return { ...message, content: message.content.map((part) => (isIt(part) ? { ...part, output: defaultModelOutput(finalOutput) } : part)) } as ModelMessage;
  });
}
