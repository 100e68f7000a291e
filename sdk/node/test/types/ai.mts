// The examples of the documents of `experimental-ai-sdk-code-mode`, with another import. Compiled, never run.
import { type ModelMessage, generateText, tool } from 'ai';
import { z } from 'zod';
import {
  type CodeModeApprovalInterrupt,
  type CodeModeToolExecutionOptions,
  continueCodeModeApproval,
  continueCodeModeInterrupt,
  createCodeModeTool,
  getCodeModeApprovalResponse,
  isCodeModeApprovalInterrupt,
  isCodeModeInterrupt,
  replaceCodeModeInterruptResult,
  requestCodeModeInterrupt,
  runCodeMode,
  setCodeModeContinuationSigningKey,
  setCodeModeWorkerUrl,
  setMaxWorkers,
  toCodeModeApprovalMessages,
  unwrapCodeModeResult,
} from 'isobox/ai';

declare function searchDocuments(query: string, limit?: number): Promise<{ id: string; title: string }[]>;
declare function fetchWithConnection(input: { connectionId: string; token: string }): Promise<{ id: string; title: string }>;
declare function askUserForApproval(request: { toolName: string; input: unknown; toolCallId: string }): Promise<boolean>;
declare const model: Parameters<typeof generateText>[0]['model'];
declare let messages: ModelMessage[];
declare const session: { state: { codeMode?: unknown } };
declare const tracer: unknown;

const search = tool({
  description: 'Search indexed documents.',
  inputSchema: z.object({ query: z.string(), limit: z.number().int().optional() }),
  outputSchema: z.object({ results: z.array(z.object({ id: z.string(), title: z.string() })) }),
  execute: async ({ query, limit }) => {
    return { results: await searchDocuments(query, limit) };
  },
});

async function quickStart(): Promise<void> {
  const codeMode = createCodeModeTool({ search }, { executionPolicy: { timeoutMs: 30_000, memoryLimitBytes: 64 * 1024 * 1024 } });
  await generateText({ model, tools: { codeMode }, prompt: 'Search for the latest internal QuickJS notes and summarize them.' });
  await runCodeMode({
    js: 'return await tools.add({ a: 1, b: 2 });',
    tools: { add: tool({ inputSchema: z.object({ a: z.number(), b: z.number() }), execute: async ({ a, b }) => ({ sum: a + b }) }) },
  });
  setMaxWorkers(8);
  setMaxWorkers(undefined);
  setCodeModeWorkerUrl(new URL('./code-mode-worker.mjs', import.meta.url));
  setCodeModeContinuationSigningKey(process.env['CODE_MODE_CONTINUATION_KEY']);
}

function observability(): void {
  createCodeModeTool(
    { search },
    {
      lifecycle: {
        onNestedToolCall: (event) => {
          console.log(event.toolName, event.toolCallId);
        },
        onTrace: (trace) => {
          console.log(trace.status, trace.bridgeRequests.length);
        },
      },
      telemetry: { isEnabled: true, tracer, functionId: 'agent.code_mode', metadata: { runtime: 'ash' } },
      modelOutput: { includeNestedToolSummary: true, includeNestedToolOutputs: true, includeFetchSummary: true },
      fetchPolicy: { fetch: globalThis.fetch, allowedOrigins: ['https://api.example.com'], allowedMethods: ['GET', 'POST'], maxResponseBytes: 256 * 1024 },
      approval: {
        onApprovalRequired: async ({ toolName, input, toolCallId }) => {
          const approved = await askUserForApproval({ toolName, input, toolCallId });
          return approved ? 'approved' : { approved: false, reason: 'User denied' };
        },
      },
    },
  );
}

async function interrupts(oauthToken: string): Promise<void> {
  const tools = {
    connectionTool: tool({
      inputSchema: z.object({ connectionId: z.string() }),
      execute: async ({ connectionId }, options) => {
        const { codeModeInterrupt } = options as CodeModeToolExecutionOptions;
        if (codeModeInterrupt === undefined) {
          requestCodeModeInterrupt({ kind: 'connection-auth', connectionId, scopes: ['read:items'] });
        }
        return fetchWithConnection({ connectionId, token: codeModeInterrupt.resolution.token });
      },
    }),
  };
  const codeMode = createCodeModeTool(tools);
  const result = await codeMode.execute?.({ js: `return await tools.connectionTool({ connectionId: "conn_1" })` }, { toolCallId: 'call_1', messages });
  const normalized = unwrapCodeModeResult(result);
  if (normalized.status === 'interrupted' && isCodeModeInterrupt(normalized.interrupt)) {
    session.state.codeMode = normalized.interrupt;
    const finalOutput = await continueCodeModeInterrupt({ interrupt: normalized.interrupt, resolution: { token: oauthToken }, tools });
    messages = replaceCodeModeInterruptResult(messages, normalized.interrupt, finalOutput);
  }
}

async function approvals(approvalId: string): Promise<unknown> {
  const tools = { deleteFile: tool({ inputSchema: z.object({ path: z.string() }), needsApproval: true, execute: async ({ path }) => path }) };
  const codeMode = createCodeModeTool(tools, { approval: { mode: 'interrupt' } });
  const pendingApprovals = new Map<string, CodeModeApprovalInterrupt>();
  const result = await codeMode.execute?.({ js: `await tools.deleteFile({ path: "notes.md" });` }, { toolCallId: 'call_1', messages });
  if (isCodeModeApprovalInterrupt(result)) {
    pendingApprovals.set(result.interruptId, result);
    messages.push(...toCodeModeApprovalMessages(result));
  }
  const interrupt = pendingApprovals.get(approvalId);
  if (interrupt === undefined) throw new Error(`Unknown approval: ${approvalId}`);
  const approvalResponse = getCodeModeApprovalResponse(messages, interrupt);
  if (approvalResponse === undefined) throw new Error(`Approval response is still pending: ${approvalId}`);
  return continueCodeModeApproval({ interrupt, approvalResponse, tools });
}
void [quickStart, observability, interrupts, approvals];
