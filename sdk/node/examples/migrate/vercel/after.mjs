// A program that an agent wrote deletes a file once a person has approved it.
import { tool } from 'ai';
import {
  continueCodeModeApproval,
  createCodeModeTool,
  getCodeModeApprovalResponse,
  isCodeModeApprovalInterrupt,
  toCodeModeApprovalMessages,
} from 'isobox/ai';
import { z } from 'zod';

const files = new Map([['notes.md', 'old notes'], ['todo.md', 'write tests']]);
const tools = {
  readFile: tool({
    description: 'Returns the text of a file.',
    inputSchema: z.object({ path: z.string() }),
    execute: async ({ path }) => files.get(path) ?? null,
  }),
  deleteFile: tool({
    description: 'Deletes a file.',
    inputSchema: z.object({ path: z.string() }),
    needsApproval: true,
    execute: async ({ path }) => files.delete(path),
  }),
};

const codeMode = createCodeModeTool(tools, { approval: { mode: 'interrupt' } });
const js = 'const text = await tools.readFile({ path: "notes.md" }); const deleted = await tools.deleteFile({ path: "notes.md" }); return { text, deleted };';
const interrupt = await codeMode.execute({ js }, { toolCallId: 'call_1', messages: [] });
if (!isCodeModeApprovalInterrupt(interrupt)) throw new Error('the program did not ask');
console.log('asks for', interrupt.toolName, interrupt.input);

const messages = toCodeModeApprovalMessages(interrupt);
messages.push({ role: 'tool', content: [{ type: 'tool-approval-response', approvalId: interrupt.interruptId, approved: true }] });
const approvalResponse = getCodeModeApprovalResponse(messages, interrupt);
console.log(await continueCodeModeApproval({ interrupt, approvalResponse, tools }), [...files.keys()]);
