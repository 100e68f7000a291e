// `isobox/ai` with AI SDK 6 and 7. A process has one `ai`, so that the tests of version 7 run in a process of their own.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as nodeModule from 'node:module';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

import * as ai from 'ai';
import * as mocks from 'ai/test';
import { z } from 'zod';

import * as mode from 'isobox/ai';

const major = mocks.MockLanguageModelV4 === undefined ? 6 : 7;
const Mock = mocks.MockLanguageModelV4 ?? mocks.MockLanguageModelV3;
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const named = (name, run) => test(`AI SDK ${major}: ${name}`, run);

/** A model that runs a program first, and answers then. `seen` gets its prompts. */
function scripted(js, seen = []) {
  const turn = ({ prompt, tools }) => {
    seen.push({ prompt, tools });
    return prompt.at(-1).role === 'tool' ? [{ type: 'text', text: 'done' }] : [{ type: 'tool-call', toolCallId: 'outer', toolName: 'codeMode', input: JSON.stringify({ js }) }];
  };
  const finishReason = (content) => ({ unified: content[0].type === 'text' ? 'stop' : 'tool-calls' });
  return new Mock({
    doGenerate: async (options) => {
      const content = turn(options);
      return { content, finishReason: finishReason(content), usage, warnings: [] };
    },
    doStream: async (options) => {
      const content = turn(options);
      const parts = content[0].type === 'text' ? [{ type: 'text-start', id: 't' }, { type: 'text-delta', id: 't', delta: content[0].text }, { type: 'text-end', id: 't' }] : content;
      return { stream: ReadableStream.from([{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', finishReason: finishReason(content), usage }]) };
    },
  });
}

const tools = {
  double: ai.tool({ description: 'Doubles.', inputSchema: z.object({ n: z.number().default(4) }), execute: async ({ n }) => n * 2 }),
  plain: ai.tool({ description: 'Has a JSON Schema.', inputSchema: ai.jsonSchema({ type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }), execute: async ({ n }) => n + 1 }),
  dynamic: ai.dynamicTool({ description: 'Is dynamic.', inputSchema: z.object({}), execute: async () => 'd' }),
  remove: ai.tool({ inputSchema: z.object({ id: z.number() }), needsApproval: true, execute: async ({ id }) => `removed ${id}` }),
};
const approval = { approval: { mode: 'interrupt' } };
const isOver = ({ steps }) => steps.length >= 5 || mode.getCodeModeApprovalInterrupt(steps.at(-1)) !== undefined;

named('generateText runs programs over tools with every kind of schema', async () => {
  const seen = [];
  const codeMode = mode.createCodeModeTool(tools);
  const { text, steps } = await ai.generateText({ model: scripted('return [await tools.double({}), await tools.plain({ n: 1 }), await tools.dynamic({})]', seen), tools: { codeMode }, prompt: 'go', stopWhen: isOver });
  assert.equal(text, 'done');
  assert.deepEqual(steps[0].toolResults[0].output, [8, 2, 'd']);
  assert.match(seen[0].tools[0].description, /n\?: number;\n[^]*plain\(input: \{ n: number \}\)/);
  assert.deepEqual(seen[0].tools[0].inputSchema.required, ['js']);
  assert.match(JSON.stringify(seen[1].prompt.at(-1)), /\[8,2,"d"\]/);
});

named('streamText runs programs', async () => {
  const result = ai.streamText({ model: scripted('return await tools.double({ n: 5 })'), tools: { codeMode: mode.createCodeModeTool(tools) }, prompt: 'go', stopWhen: isOver });
  assert.equal(await result.text, 'done');
  assert.equal((await result.steps)[0].toolResults[0].output, 10);
});

named('an error of a program is an error of the tool, which the model sees', async () => {
  const seen = [];
  const { text } = await ai.generateText({ model: scripted('throw new Error("bad")', seen), tools: { codeMode: mode.createCodeModeTool(tools) }, prompt: 'go', stopWhen: isOver });
  assert.equal(text, 'done');
  assert.match(JSON.stringify(seen[1].prompt.at(-1)), /error-text[^]*bad/);
});

named('a summary of nested calls is what the model sees', async () => {
  const seen = [];
  const codeMode = mode.createCodeModeTool(tools, { modelOutput: { includeNestedToolOutputs: true } });
  await ai.generateText({ model: scripted('return await tools.double({ n: 5 })', seen), tools: { codeMode }, prompt: 'go', stopWhen: isOver });
  const { output } = seen[1].prompt.at(-1).content[0];
  assert.deepEqual(output, { type: 'json', value: { result: 10, nestedTools: [{ kind: 'tool', toolName: 'double', toolCallId: 'outer:tool-1', status: 'fulfilled', replayed: false, output: { type: 'json', value: 10 } }] } });
});

/** Approves what a result waits for, and returns the messages to go on with. */
async function approved(result, interrupt) {
  const output = await mode.continueCodeModeApproval({ interrupt, approvalResponse: { approvalId: interrupt.interruptId, approved: true }, tools });
  assert.equal(output, 'removed 3');
  return mode.replaceCodeModeInterruptResult([{ role: 'user', content: 'go' }, ...result.response.messages], interrupt, output);
}

const JS = 'return await tools.remove({ id: 3 })';

named('generateTextWithCodeModeApprovals finds the approval, and the agent goes on', async () => {
  const seen = [];
  const codeMode = mode.createCodeModeTool(tools, approval);
  const model = scripted(JS, seen);
  const result = await mode.generateTextWithCodeModeApprovals({ model, tools: { codeMode }, prompt: 'go', stopWhen: isOver });
  assert.equal(result.codeModeApproval.toolName, 'remove');
  assert.deepEqual(result.codeModeApprovalMessages, mode.toCodeModeApprovalMessages(result.codeModeApproval));
  const messages = await approved(result, result.codeModeApproval);
  const last = await mode.generateTextWithCodeModeApprovals({ model, tools: { codeMode }, messages, stopWhen: isOver });
  assert.deepEqual([last.text, last.codeModeApproval, last.codeModeApprovalMessages], ['done', undefined, []]);
  assert.match(JSON.stringify(seen.at(-1).prompt), /removed 3/);
});

named('streamTextWithCodeModeApprovals promises the approval', async () => {
  const codeMode = mode.createCodeModeTool(tools, approval);
  const result = mode.streamTextWithCodeModeApprovals({ model: scripted(JS), tools: { codeMode }, prompt: 'go', stopWhen: isOver });
  await result.consumeStream();
  const interrupt = await result.codeModeApproval;
  assert.equal(interrupt.toolName, 'remove');
  await approved({ response: await result.response }, interrupt);
});

named('an agent that is wrapped has approvals in its results', async () => {
  const codeMode = mode.createCodeModeTool(tools, approval);
  const agent = mode.wrapToolLoopAgentForCodeModeApprovals(new ai.ToolLoopAgent({ model: scripted(JS), tools: { codeMode }, stopWhen: isOver }));
  const result = await agent.generate({ prompt: 'go' });
  assert.equal(result.codeModeApproval.toolName, 'remove');
  const messages = await approved(result, result.codeModeApproval);
  assert.equal((await agent.generate({ messages })).text, 'done');
  const streamed = await agent.stream({ prompt: 'go' });
  await streamed.consumeStream();
  assert.equal((await streamed.codeModeApproval).toolName, 'remove');
});

if (major === 6) {
  test('AI SDK 7: the same tests', { skip: nodeModule.registerHooks === undefined && 'Node 22.15 is needed' }, () => {
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const hook = new URL('ai7.mjs', import.meta.url).href;
    const { stdout, status } = spawnSync(process.execPath, ['--import', hook, '--test-reporter=tap', fileURLToPath(import.meta.url)], { env, encoding: 'utf8', timeout: 120_000 });
    assert.match(stdout, /# pass 7\n# fail 0/, stdout);
    assert.doesNotMatch(stdout, /AI SDK 6/);
    assert.equal(status, 0);
  });
}
