// Runs a program, and continues one that was paused.

import { IsoboxError } from '../errors';
import type { Failure, Outcome } from '../outcome';
import { shown } from '../schema';
import {
  CodeModeAbortedError,
  CodeModeBridgeLimitError,
  CodeModeConcurrencyError,
  CodeModeDetachedBridgeRequestError,
  CodeModeError,
  CodeModeProtocolError,
  CodeModeSourceTooLargeError,
  CodeModeTimeoutError,
  CodeModeToolApprovalDeniedError,
  CodeModeToolError,
  describeError,
} from './errors';
import { FETCH_PRELUDE, type FetchRules, fetchRules } from './fetch';
import { Invocation } from './invocation';
import { type Policy, limitsOf, policyOf } from './options';
import { counted, sharedRuntime } from './runtime';
import { sign, verify } from './signing';
import type {
  CodeModeContinuation,
  CodeModeInterrupt,
  CodeModeInterruptPayload,
  CodeModeInterruptResolution,
  CodeModeTrace,
  RunCodeModeInput,
} from './types';

/** The kind of an interrupt that waits for an approval. */
export const APPROVAL_KIND = 'ai-sdk-code-mode/tool-approval';

/** Runs a program with host tools. Returns its result, or an interrupt. Throws a `CodeModeError` if it fails. */
export async function runCodeMode(input: RunCodeModeInput): Promise<unknown> {
  const { js, tools, toolExecutionOptions = {}, options = {}, continuation, interruptResolution } = input;
  if (typeof js !== 'string') throw new TypeError(`runCodeMode: js is ${shown(js)}; expected a string`);
  if (typeof tools !== 'object' || tools === null) throw new TypeError(`runCodeMode: tools is ${shown(tools)}; expected an object`);
  const policy = policyOf(options);
  const rules = options.fetchPolicy ? fetchRules(options.fetchPolicy) : undefined;
  const bytes = Buffer.byteLength(js);
  if (bytes > policy.maxSourceBytes) throw new CodeModeSourceTooLargeError(bytes, policy.maxSourceBytes);
  const execution = { ...toolExecutionOptions, ...(continuation && { toolCallId: continuation.outerToolCallId }) };
  const invocation = new Invocation(tools, options, execution, rules);
  const { abortSignal } = toolExecutionOptions;
  if (abortSignal?.aborted) throw new CodeModeAbortedError();
  return counted(async () => {
    const span = invocation.telemetry.start('ai.code_mode.execute', {
      'code_mode.invocation.id': invocation.id,
      'code_mode.outer_tool_call.id': invocation.outerToolCallId,
      'code_mode.continuation': continuation !== undefined,
      'code_mode.fetch.enabled': rules !== undefined,
      ...(invocation.telemetry.recordsInputs && { 'code_mode.source.bytes': bytes }),
    });
    const finish = async (status: CodeModeTrace['status'], more: Partial<CodeModeTrace> = {}): Promise<void> => {
      const completedAtMs = Date.now();
      const { id: invocationId, outerToolCallId, startedAtMs } = invocation;
      const bridgeRequests = invocation.trace.sort((one, other) => one.bridgeIndex - other.bridgeIndex);
      const trace: CodeModeTrace = { invocationId, outerToolCallId, status, startedAtMs, completedAtMs, durationMs: completedAtMs - startedAtMs, bridgeRequests, ...more };
      span?.set({
        'code_mode.status': status,
        'code_mode.duration_ms': trace.durationMs,
        'code_mode.bridge_requests.count': bridgeRequests.length,
        'code_mode.bridge_requests.replayed_count': bridgeRequests.filter(({ replayed }) => replayed).length,
      });
      span?.end();
      await invocation.emit('onTrace', trace);
    };
    try {
      const outcome =
        continuation === undefined
          ? await begin(js, invocation, policy, rules, abortSignal)
          : await goOn(continuation, interruptResolution, invocation, abortSignal);
      if (continuation !== undefined) addEarlier(outcome, invocation);
      if (outcome.status === 'completed') {
        await finish('completed');
        return outcome.result;
      }
      if (outcome.status === 'paused') {
        const interrupt = await interruptOf(outcome, invocation);
        span?.event('code_mode.interrupt', { 'code_mode.interrupt.type': interrupt.type });
        await finish('interrupted', { interruptedBy: interrupt.type });
        return interrupt;
      }
      const failure = outcome.status === 'failed' || outcome.status === 'interrupted' ? outcome.error : undefined;
      throw failure === undefined ? new CodeModeError(`unexpected status ${outcome.status}`) : errorFor(failure, invocation, policy, outcome);
    } catch (thrown) {
      const error = thrown instanceof IsoboxError ? errorFor(thrown.failure, invocation, policy) : thrown;
      span?.fail(error);
      await finish('failed', { error: describeError(error) });
      throw error;
    }
  });
}

function begin(js: string, invocation: Invocation, policy: Policy, rules: FetchRules | undefined, signal: AbortSignal | undefined): Promise<Outcome> {
  const prelude = rules === undefined ? '' : FETCH_PRELUDE;
  const limits = limitsOf(policy, { sourceBytes: prelude.length, fetchBytes: rules?.maxResponseBytes ?? 0 });
  return sharedRuntime().run(prelude + js, { stateless: true, limits, tools: invocation.bindings(), ...(signal && { signal }) });
}

async function goOn(
  continuation: CodeModeContinuation,
  resolution: CodeModeInterruptResolution | undefined,
  invocation: Invocation,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  verify(continuation);
  const { seq, approval, sealed, executionId, revision } = continuation;
  const expected = `${invocation.toolCallId(seq)}:interrupt`;
  if (resolution?.interruptId !== expected) {
    const details = { expectedInterruptId: expected, receivedInterruptId: resolution?.interruptId };
    throw new CodeModeProtocolError(`Interrupt resolution does not match pending code-mode interrupt ${expected}.`, details);
  }
  const tools = invocation.bindings();
  const options = { tools, ...(signal && { signal }) };
  const paused = { continuation: sealed, executionId, revision };
  if (!approval) return sharedRuntime().continue(paused, [{ seq, verdict: 'answer', value: resolution.resolution ?? null }], options);
  const answer = resolution.resolution as { approved?: unknown; reason?: unknown } | null;
  if (typeof answer?.approved !== 'boolean' || (answer.reason !== undefined && typeof answer.reason !== 'string')) {
    throw new CodeModeProtocolError('Code mode approval resolution is malformed.', { interruptId: expected });
  }
  const verdict = answer.approved ? 'approve' : 'deny';
  return sharedRuntime().continue(paused, [{ seq, verdict, ...(answer.reason !== undefined && { reason: answer.reason }) }], options);
}

/** Describes the first call that a paused program waits for. The others wait their turn. */
async function interruptOf(outcome: Extract<Outcome, { status: 'paused' }>, invocation: Invocation): Promise<CodeModeInterrupt> {
  const [pending] = outcome.pending;
  if (pending === undefined || outcome.continuation === undefined) throw new CodeModeProtocolError('the program is paused, and waits for nothing');
  const { seq, path } = pending;
  const approval = pending.kind === 'approval';
  const toolName = invocation.toolName(path);
  const parsed = await invocation.validated(toolName, pending.input);
  const input = 'value' in parsed ? parsed.value : pending.input;
  const payload = approval ? { kind: APPROVAL_KIND } : ((pending.payload as { payload?: unknown } | null)?.payload as CodeModeInterruptPayload);
  const toolCallId = invocation.toolCallId(seq);
  const { outerToolCallId } = invocation;
  const continuation = sign({ version: 1, outerToolCallId, executionId: outcome.executionId, revision: outcome.revision, seq, approval, sealed: outcome.continuation });
  const interrupt: CodeModeInterrupt = { type: 'code-mode-interrupt', interruptId: `${toolCallId}:interrupt`, toolName, toolCallId, outerToolCallId, input, payload, continuation };
  await invocation.reportInterrupt(seq, interrupt, input);
  return interrupt;
}

/** Adds the calls of earlier parts of the program to the trace. They were not made again. */
function addEarlier({ calls }: Outcome, invocation: Invocation): void {
  const known = new Set(invocation.trace.map(({ bridgeIndex }) => bridgeIndex));
  for (const { seq, path, state, durationMs = 0 } of calls) {
    const bridgeIndex = Number(seq) + 1;
    if (known.has(bridgeIndex) || (state !== 'applied' && state !== 'failed' && state !== 'denied')) continue;
    const { startedAtMs } = invocation;
    invocation.trace.push({
      kind: 'tool', bridgeIndex, toolName: invocation.toolName(path), toolCallId: invocation.toolCallId(seq), replayed: true,
      status: state === 'applied' ? 'fulfilled' : 'rejected', startedAtMs, completedAtMs: startedAtMs, durationMs, inputBytes: 0,
    });
  }
}

/** Returns the error of code mode for a failure of Isobox. */
function errorFor(failure: Failure, invocation: Invocation, policy: Policy, outcome?: Outcome): Error {
  const { code, message, details = {} } = failure;
  const seq = typeof details['seq'] === 'string' ? details['seq'] : undefined;
  const toolName = invocation.toolName(String(details['tool'] ?? ''));
  switch (code) {
    case 'TIMEOUT':
      return new CodeModeTimeoutError(policy.timeoutMs);
    case 'ABORTED':
      return new CodeModeAbortedError();
    case 'BUSY':
      return new CodeModeConcurrencyError(0);
    case 'SOURCE_TOO_LARGE':
      return new CodeModeSourceTooLargeError(Number(details['size'] ?? 0), policy.maxSourceBytes);
    case 'CALL_LIMIT':
      return new CodeModeBridgeLimitError(`Code mode exceeded the maxBridgeRequests limit (${policy.maxBridgeRequests}).`, details);
    case 'IN_FLIGHT_LIMIT':
      return new CodeModeBridgeLimitError(`Code mode exceeded the maxInFlightBridgeRequests limit (${policy.maxInFlightBridgeRequests}).`, details);
    case 'DETACHED_CALL':
      return new CodeModeDetachedBridgeRequestError(`Code mode: ${message}.`, { ...details, name: toolName });
    case 'DIVERGED':
    case 'CONTINUATION':
    case 'CONTINUATION_TOO_LARGE':
      return new CodeModeProtocolError(message, details);
    case 'UNKNOWN_TOOL': {
      const name = /`([^`]+)`/.exec(message)?.[1] ?? toolName;
      return new CodeModeToolError(`Unknown tool: ${name}`, { toolName: name, availableTools: invocation.toolNames, hint: message });
    }
    case 'APPROVAL_DENIED': {
      const call = outcome?.calls.find((one) => one.seq === seq);
      const name = invocation.toolName(call?.path ?? toolName);
      const reason = /^a person denied the call of `[^`]*`: (.*)$/s.exec(message)?.[1];
      return new CodeModeToolApprovalDeniedError(name, call?.input, seq === undefined ? '' : invocation.toolCallId(seq), reason);
    }
    case 'TOOL': {
      const thrown = seq === undefined ? undefined : invocation.errorOf(seq);
      if (thrown instanceof CodeModeError) return thrown;
      const error = new CodeModeError(message, message === 'Host fetch failed.' ? 'CODE_MODE_HOST_FETCH_ERROR' : 'CODE_MODE_HOST_TOOL_ERROR');
      error.name = 'Error';
      if (thrown !== undefined) error.cause = thrown;
      return error;
    }
    case 'RESULT_TOO_LARGE':
      return new CodeModeError(`Code mode result exceeds the ${policy.maxResultBytes} byte size limit.`, 'CODE_MODE_SERIALIZATION_ERROR', details);
    case 'INPUT_TOO_LARGE':
      return new CodeModeError(`Tool ${toolName === '' ? '' : `"${toolName}" `}input exceeds the ${policy.maxToolInputBytes} byte size limit.`, 'CODE_MODE_SERIALIZATION_ERROR', details);
    case 'OUTPUT_TOO_LARGE':
      return new CodeModeError(`Tool "${toolName}" output exceeds the ${policy.maxToolOutputBytes} byte size limit.`, 'CODE_MODE_SERIALIZATION_ERROR', details);
    case 'SYNTAX': {
      const place = failure.line === undefined ? '' : ` (line ${failure.line}, column ${failure.column})`;
      return Object.assign(new SyntaxError(message + place), { code: 'ERR_INVALID_TYPESCRIPT_SYNTAX', details, line: failure.line, column: failure.column });
    }
    default: {
      const error = new CodeModeError(message, 'CODE_MODE_ERROR', { ...details, code, line: failure.line, column: failure.column, hint: failure.hint });
      error.name = failure.name;
      return error;
    }
  }
}
