// An agent loop of the AI SDK, 6 or 7: the model calls the code tool, its program waits for a person, the person approves, and the model answers.
// The model is the mock of the SDK: nothing here needs a service.
//
//   node agent.mjs
import { generateText, tool } from 'ai';
import * as mocks from 'ai/test';
import { z } from 'zod';

import { continueCodeModeApproval, createCodeModeTool, getCodeModeApprovalInterrupt, getCodeModeApprovalResponse, isCodeModeApprovalInterrupt, replaceCodeModeInterruptResult, setCodeModeContinuationSigningKey, toCodeModeApprovalMessages } from 'isobox/ai';

// With a key of the host, an interrupt may be continued in another process.
setCodeModeContinuationSigningKey(process.env.CODE_MODE_KEY ?? 'a key of at least thirty-two characters');

const refunds = [];
const tools = {
  listOrders: tool({
    description: 'Lists the orders of a customer.',
    inputSchema: z.object({ customer: z.string() }),
    outputSchema: z.array(z.object({ id: z.number(), amount: z.number(), late: z.boolean() })),
    execute: async () => [{ id: 1, amount: 20, late: false }, { id: 2, amount: 35, late: true }, { id: 3, amount: 15, late: true }],
  }),
  refund: tool({
    description: 'Refunds an order.',
    inputSchema: z.object({ id: z.number(), amount: z.number() }),
    needsApproval: ({ amount }) => amount > 10,
    execute: async ({ id, amount }) => { refunds.push(id); return { refunded: amount }; },
  }),
};
const options = { approval: { mode: 'interrupt' } };
const codeMode = createCodeModeTool(tools, options);

/** What a real model would write. */
const PROGRAM = `
  const late = (await tools.listOrders({ customer: 'ada' })).filter((order) => order.late);
  let total = 0;
  for (const { id, amount } of late) total += (await tools.refund({ id, amount })).refunded;
  return { orders: late.length, total };`;

/** Calls the tool first, and answers with its result then. */
const Mock = mocks.MockLanguageModelV4 ?? mocks.MockLanguageModelV3;
const model = new Mock({
  doGenerate: async ({ prompt }) => {
    const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
    const last = prompt.at(-1);
    if (last.role !== 'tool') {
      const call = { type: 'tool-call', toolCallId: 'call_1', toolName: 'codeMode', input: JSON.stringify({ js: PROGRAM }) };
      return { content: [call], finishReason: { unified: 'tool-calls' }, usage, warnings: [] };
    }
    const { orders, total } = last.content[0].output.value;
    return { content: [{ type: 'text', text: `I refunded ${total} € for ${orders} orders.` }], finishReason: { unified: 'stop' }, usage, warnings: [] };
  },
});

/** Shows an approval to a person. Its answer is a message of the AI SDK. */
function askPerson([{ content: [call, request] }]) {
  console.log(`approve ${call.toolName}(${JSON.stringify(call.input)})? yes`);
  return { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: request.approvalId, approved: true }] };
}

const isPaused = ({ steps }) => getCodeModeApprovalInterrupt(steps.at(-1)) !== undefined;
let messages = [{ role: 'user', content: 'Refund the late orders of ada.' }];
for (let turn = 0; turn < 10; turn++) {
  const result = await generateText({ model, tools: { codeMode }, messages, stopWhen: [({ steps }) => steps.length >= 10, isPaused] });
  messages.push(...result.response.messages);
  const interrupt = getCodeModeApprovalInterrupt(result);
  if (interrupt === undefined) {
    console.log(`answer: ${result.text}`);
    break;
  }
  let output = interrupt;
  while (isCodeModeApprovalInterrupt(output)) {
    // An interrupt is JSON: a session would store it here, and go on when the person has answered.
    const stored = JSON.parse(JSON.stringify(output));
    const asked = toCodeModeApprovalMessages(stored);
    const approvalResponse = getCodeModeApprovalResponse([...asked, askPerson(asked)], stored);
    output = await continueCodeModeApproval({ interrupt: stored, approvalResponse, tools, options });
  }
  messages = replaceCodeModeInterruptResult(messages, interrupt, output);
}
console.log(`refunded: ${refunds.join(', ')}`);
