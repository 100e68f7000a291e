// `isobox/tanstack` beside a driver that it replaces.
import assert from 'node:assert/strict';
import test from 'node:test';

import { toolDefinition } from '@tanstack/ai';
import { createCodeMode } from '@tanstack/ai-code-mode';
import { createQuickJSIsolateDriver as createOriginal } from '@tanstack/ai-isolate-quickjs';
import { z } from 'zod';

import { createIsoboxIsolateDriver, createNodeIsolateDriver, createQuickJSIsolateDriver } from 'isobox/tanstack';

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

for (const [name, driver] of [['isobox', createIsoboxIsolateDriver()], ['the original', createOriginal()]]) {
  test(`${name}: execute_typescript of TanStack AI calls tools and gives results, logs and events`, async () => {
    const weather = toolDefinition({ name: 'weather', description: 'The weather of a city.', inputSchema: z.object({ city: z.string() }), outputSchema: z.object({ celsius: z.number() }) }).server(async ({ city }) => ({ celsius: city.length }));
    const { tool, systemPrompt } = createCodeMode({ driver, tools: [weather] });
    assert.match(systemPrompt, /external_weather/);
    const events = [];
    const output = await tool.execute(
      { typescriptCode: 'const w: { celsius: number } = await external_weather({ city: "Rome" }); console.warn("hot"); return w.celsius * 2' },
      { emitCustomEvent: (event, { name, level }) => events.push([event, name ?? level]) },
    );
    assert.deepEqual(output, { success: true, result: 8, logs: ['WARN: hot'] });
    assert.deepEqual(events.map(([event]) => event), ['code_mode:execution_started', 'code_mode:external_call', 'code_mode:external_result', 'code_mode:console']);
  });
}
