// `isobox/tanstack` beside a driver that it replaces.
import assert from 'node:assert/strict';
import test from 'node:test';

import { chat, maxIterations, toolDefinition } from '@tanstack/ai';
import { createCodeMode as createOriginalCodeMode } from '@tanstack/ai-code-mode';
import { createQuickJSIsolateDriver as createOriginal } from '@tanstack/ai-isolate-quickjs';
import { z } from 'zod';

import { createCodeMode, createCodeModeTool, createIsoboxIsolateDriver, createNodeIsolateDriver, createQuickJSIsolateDriver } from 'isobox/tanstack';

const binding = (name, execute) => [name, { name, description: name, inputSchema: { type: 'object' }, execute }];
const bindings = Object.fromEntries([
  binding('external_add', async ({ a, b }) => a + b),
  binding('external_fail', async () => { throw new TypeError('no such city'); }),
  binding('skill_echo', async (input) => input),
]);

const CASES = {
  'a value': 'return { a: [1, "ä", null] }',
  'no value': 'const a = 1',
  'a call': 'return await external_add({ a: 1, b: 2 })',
  'sequential calls': 'let s = 0; for (let i = 0; i < 3; i++) s = await external_add({ a: s, b: i }); return s',
  'other bindings': 'return await skill_echo({ x: [1, { y: null }] })',
  'a failing tool': 'return await external_fail({})',
  'a failing tool that is caught': 'try { await external_fail({}) } catch (e) { return [e.name, e.message, e instanceof Error] }',
  'a thrown error': 'throw new RangeError("too far")',
  logs: 'console.log("a", 1); console.info("b"); console.warn("c"); console.error("d"); return 1',
  'an unknown binding': 'return await external_nope({})',
  'no memory': 'const a = []; while (true) a.push(new Uint8Array(1 << 20).fill(a.length))',
  'no stack': 'const f = () => f() + 1; return f()',
  'a time-out': 'while (true) {}',
};

/** Where Isobox differs, and why. Strict. */
const DIFFERENCES = {
  'no value': ['a result of Isobox is JSON: nothing is null', { success: true, value: null, logs: [] }],
  'an unknown binding': ['the message is that of the engine', { success: false, error: ['ReferenceError', 'external_nope is not defined'], logs: [] }],
  'no stack': ['an overflow is recognised', { success: false, error: ['StackOverflowError', 'Code execution exceeded stack size limit'], logs: [] }],
  'a time-out': ['the error says what happened', { success: false, error: ['TimeoutError', 'the program computed for longer than 500ms'], logs: [] }],
};

async function result(driver, name, code) {
  const context = await driver.createContext({ bindings, timeout: name === 'a time-out' ? 500 : 20_000, memoryLimit: 16 });
  const { error, ...rest } = await context.execute(code);
  await context.dispose();
  return error === undefined ? rest : { ...rest, error: [error.name, error.message] };
}

for (const [name, code] of Object.entries(CASES)) {
  test(`both drivers agree, or differ as listed: ${name}`, async () => {
    const mine = await result(createIsoboxIsolateDriver(), name, code);
    const theirs = await result(createOriginal(), name, code);
    const listed = DIFFERENCES[name];
    if (listed === undefined) return assert.deepEqual(mine, theirs);
    if (mine.error && listed[1].error && name === 'a time-out') assert.equal(mine.error[0], listed[1].error[0]);
    else assert.deepEqual(mine, listed[1], listed[0]);
    assert.notDeepEqual(mine, theirs, 'a listed difference is gone');
  });
}

test('calls made before an await run concurrently, which the QuickJS driver cannot', async () => {
  let running = 0;
  let most = 0;
  const slow = Object.fromEntries([binding('external_slow', async () => { most = Math.max(most, ++running); await new Promise((resolve) => setTimeout(resolve, 20)); running--; })]);
  const context = await createIsoboxIsolateDriver().createContext({ bindings: slow });
  assert.equal((await context.execute('await Promise.all([1, 2, 3].map(() => external_slow({}))); return 1')).value, 1);
  assert.equal(most, 3);
});

test('a disposed context runs nothing, and disposing ends what runs', async () => {
  const context = await createNodeIsolateDriver({ timeout: 5000 }).createContext({ bindings: {} });
  const running = context.execute('while (true) {}');
  await context.dispose();
  assert.equal((await running).success, false);
  assert.deepEqual(await context.execute('return 1'), { success: false, error: { name: 'DisposedError', message: 'Context has been disposed' }, logs: [] });
});

test('wrong options are named', () => {
  assert.throws(() => createQuickJSIsolateDriver({ timeout: -1 }), (error) => error instanceof TypeError && /timeout is -1/.test(error.message));
});

const definition = { name: 'weather', description: 'The weather of a city.', inputSchema: z.object({ city: z.string(), unit: z.string().default('C') }), outputSchema: z.object({ celsius: z.number() }) };
const weather = toolDefinition(definition).server(async ({ city, unit }) => {
  if (city === 'Nowhere') throw new Error('no such city');
  return city === 'Broken' ? { celsius: unit } : { celsius: city.length };
});

const PROGRAMS = {
  'a call with a default': 'const w: { celsius: number } = await external_weather({ city: "Rome" }); console.warn("hot"); return w.celsius * 2',
  'a failing tool': 'return await external_weather({ city: "Nowhere" })',
  'an invalid input': 'try { await external_weather({ city: 7 }) } catch (e) { return e.message.split(":")[0] }',
  'an invalid output': 'try { await external_weather({ city: "Broken" }) } catch (e) { return e.message.split(":")[0] }',
  'concurrent calls': 'return await Promise.all(["a", "bc"].map((city) => external_weather({ city })))',
  'a skill': 'return await skill_add({ a: 1, b: 2 })',
  'a thrown error': 'throw new RangeError("too far")',
  'no program': '',
  'all levels': 'console.log("a"); console.info("b"); console.error("c"); return null',
};
const getSkillBindings = async () => ({ skill_add: { name: 'skill_add', description: 'Adds.', inputSchema: {}, execute: async ({ a, b }) => a + b } });

/** The code tools: that of the original with its own driver and with that of Isobox, and that of Isobox. */
const CODE_TOOLS = {
  'the original': () => createOriginalCodeMode({ driver: createOriginal(), tools: [weather], getSkillBindings }),
  'the original over Isobox': () => createOriginalCodeMode({ driver: createIsoboxIsolateDriver(), tools: [weather], getSkillBindings }),
  isobox: () => createCodeMode({ tools: [weather], getSkillBindings }),
};

for (const [name, typescriptCode] of Object.entries(PROGRAMS)) {
  test(`the code tools agree: ${name}`, async () => {
    const seen = await Promise.all(Object.values(CODE_TOOLS).map(async (create) => {
      const events = [];
      const { tool } = create();
      const output = await tool.execute({ typescriptCode }, { emitCustomEvent: (event, { timestamp: _, duration: __, codeLength: ___, ...rest }) => events.push([event, rest]) });
      return { output, events };
    }));
    const [first, ...others] = seen;
    if (name === 'concurrent calls') {
      // The QuickJS driver makes them one after the other.
      assert.deepEqual(others[0].output, first.output);
      assert.deepEqual(others[1], others[0]);
      return;
    }
    for (const other of others) {
      // Where a message is that of the library that checks, its text may differ.
      const comparable = ({ output, events }) => (name.startsWith('an invalid') ? { output, events: events.map(([event]) => event) } : { output, events });
      assert.deepEqual(comparable(other), comparable(first));
    }
  });
}

for (const [name, create] of Object.entries(CODE_TOOLS)) {
  test(`${name}: chat() calls the code tool, and the model sees its result`, async () => {
    const { tool, tools, systemPrompt } = create();
    assert.equal(tool.name, 'execute_typescript');
    assert.deepEqual(tools.map((one) => one.name), ['execute_typescript']);
    assert.match(systemPrompt, /external_weather/);
    assert.match(systemPrompt, /city: string/);
    const prompts = [];
    const adapter = {
      kind: 'text', name: 'scripted', model: 'm',
      async *chatStream({ messages, tools: offered }) {
        prompts.push({ messages, offered });
        const call = { toolCallId: 'c', toolCallName: 'execute_typescript', toolName: 'execute_typescript' };
        const run = { runId: 'r', threadId: 't' };
        yield { type: 'RUN_STARTED', ...run };
        if (messages.at(-1).role === 'tool') return yield* [{ type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' }, { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'done' }, { type: 'TEXT_MESSAGE_END', messageId: 'm' }, { type: 'RUN_FINISHED', ...run, finishReason: 'stop' }];
        return yield* [{ type: 'TOOL_CALL_START', ...call }, { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: JSON.stringify({ typescriptCode: 'return (await external_weather({ city: "Rome" })).celsius' }) }, { type: 'TOOL_CALL_END', ...call }, { type: 'RUN_FINISHED', ...run, finishReason: 'tool_calls' }];
      },
    };
    let text = '';
    for await (const event of chat({ adapter, tools, systemPrompts: [systemPrompt], messages: [{ role: 'user', content: 'go' }], agentLoopStrategy: maxIterations(4) })) if (event.type === 'TEXT_MESSAGE_CONTENT') text += event.delta;
    assert.equal(text, 'done');
    assert.deepEqual(JSON.parse(prompts[1].messages.at(-1).content), { success: true, result: 4, logs: [] });
    assert.deepEqual(prompts[0].offered[0].inputSchema.required, ['typescriptCode']);
  });
}

test('wrong options of the code tool are named', () => {
  const wrong = (config, message) => assert.throws(() => createCodeModeTool(config), (error) => error instanceof TypeError && error.message.includes(message), message);
  wrong({}, '`tools` is undefined; expected an array');
  wrong({ tools: [] }, '`tools` is []; expected at least one tool');
  wrong({ tools: [toolDefinition(definition)] }, '`execute` of the tool "weather" is undefined; expected a function');
  wrong({ tools: [weather], timeout: 'x' }, '`timeout` is "x"; expected a number of milliseconds');
  wrong({ tools: [weather], drivr: 1 }, 'did you mean `driver`?');
});
