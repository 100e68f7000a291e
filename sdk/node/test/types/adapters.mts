// The examples of the documents of other packages, with another import. Compiled, never run.
import { chat, type AnyTextAdapter } from '@tanstack/ai';
import { createCodeMode, type IsolateDriver as Original } from '@tanstack/ai-code-mode';
import { tool } from 'ai';
import { z } from 'zod';
import { CodemodeConnector, type ConnectorTools, IsoboxExecutor, createCodeTool, createCodemodeRuntime } from 'isobox/cloudflare';
import { createCodeMode as createOurs, createNodeIsolateDriver, createQuickJSIsolateDriver } from 'isobox/tanstack';

const node = createNodeIsolateDriver({ memoryLimit: 128, timeout: 30_000 });
const quickjs = createQuickJSIsolateDriver({ memoryLimit: 128, timeout: 30_000, maxStackSize: 524288 });
const drivers: Original[] = [node, quickjs];
export const mode = (tools: Parameters<typeof createCodeMode>[0]['tools']) => createCodeMode({ driver: node, tools });
void drivers;

// The code tool is one for `chat()`.
export const ours = (adapter: AnyTextAdapter, tools: Parameters<typeof createCodeMode>[0]['tools']) => {
  const { tool: code, systemPrompt } = createOurs({ tools, driver: quickjs, timeout: 30_000 });
  return chat({ adapter, tools: [code], systemPrompts: [systemPrompt], messages: [{ role: 'user', content: 'go' }] });
};

class Github extends CodemodeConnector {
  name(): string {
    return 'github';
  }
  protected tools(): ConnectorTools {
    return { create: { requiresApproval: true, execute: async (args, ctx) => [args, ctx?.executionId], revert: async () => {} } };
  }
}
const runtime = createCodemodeRuntime({ connectors: [new Github()], store: 'sqlite:x.db' });
export async function approve(executionId: string): Promise<unknown> {
  const output = await runtime.approve({ executionId });
  return output.status === 'completed' ? output.result : output.status === 'paused' ? output.pending[0]?.method : output.error;
}
createCodeTool({ tools: { add: tool({ inputSchema: z.object({ a: z.number() }), execute: async ({ a }) => a }) }, executor: new IsoboxExecutor({ timeout: 1000 }) });
