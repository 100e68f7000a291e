// `chat()` of TanStack AI with the code tool: the model calls it, its program uses tools, and the model answers.
// The adapter is scripted: nothing here needs a model service.
//
//   node chat.mjs
import { chat, maxIterations, toolDefinition } from '@tanstack/ai';
import { z } from 'zod';

import { createCodeMode } from 'isobox/tanstack';

const stations = { Rome: 24, Oslo: 7, Cairo: 31 };
const listCities = toolDefinition({
  name: 'listCities',
  description: 'Lists the cities with a weather station.',
  inputSchema: z.object({}),
  outputSchema: z.array(z.string()),
}).server(async () => Object.keys(stations));
const weather = toolDefinition({
  name: 'weather',
  description: 'Returns the weather of a city, now.',
  inputSchema: z.object({ city: z.string() }),
  outputSchema: z.object({ celsius: z.number() }),
}).server(async ({ city }) => ({ celsius: stations[city] }));

const { tool, systemPrompt } = createCodeMode({ tools: [listCities, weather] });

/** What a real model would write. */
const PROGRAM = `
  const cities = await external_listCities({});
  const all = await Promise.all(cities.map(async (city) => ({ city, ...(await external_weather({ city })) })));
  console.log('asked', cities.length, 'stations');
  return all.reduce((warmest, one) => (one.celsius > warmest.celsius ? one : warmest));`;

/** Calls the tool first, and answers with its result then. */
const adapter = {
  kind: 'text',
  name: 'scripted',
  model: 'scripted-1',
  async *chatStream({ messages }) {
    const last = messages.at(-1);
    const run = { runId: `run_${messages.length}`, threadId: 'thread_1', model: this.model };
    yield { type: 'RUN_STARTED', ...run };
    if (last.role !== 'tool') {
      const call = { toolCallId: 'call_1', toolCallName: 'execute_typescript', toolName: 'execute_typescript' };
      yield { type: 'TOOL_CALL_START', ...call };
      yield { type: 'TOOL_CALL_ARGS', toolCallId: 'call_1', delta: JSON.stringify({ typescriptCode: PROGRAM }) };
      yield { type: 'TOOL_CALL_END', ...call };
      yield { type: 'RUN_FINISHED', ...run, finishReason: 'tool_calls' };
      return;
    }
    const { result } = JSON.parse(last.content);
    yield { type: 'TEXT_MESSAGE_START', messageId: 'message_1', role: 'assistant' };
    yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'message_1', delta: `It is warmest in ${result.city}, with ${result.celsius} °C.` };
    yield { type: 'TEXT_MESSAGE_END', messageId: 'message_1' };
    yield { type: 'RUN_FINISHED', ...run, finishReason: 'stop' };
  },
};

let answer = '';
for await (const event of chat({ adapter, systemPrompts: [systemPrompt], tools: [tool], messages: [{ role: 'user', content: 'Where is it warmest?' }], agentLoopStrategy: maxIterations(5) })) {
  if (event.type === 'CUSTOM' && event.name === 'code_mode:external_call') console.log(`${event.value.function}(${JSON.stringify(event.value.args)})`);
  if (event.type === 'CUSTOM' && event.name === 'code_mode:console') console.log(`log: ${event.value.message}`);
  if (event.type === 'TEXT_MESSAGE_CONTENT') answer += event.delta;
}
console.log(`answer: ${answer}`);
