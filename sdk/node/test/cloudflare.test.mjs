// `isobox/cloudflare`, and `@cloudflare/codemode` itself with the executor of Isobox.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';

import { tool } from 'ai';
import { z } from 'zod';

import { Isobox, StoreError } from 'isobox';
import {
  CodemodeConnector,
  IsoboxExecutor,
  createCodeTool,
  createCodemodeRuntime,
  generateTypesFromJsonSchema,
  normalizeCode,
  resolveProvider,
  runCode,
  sanitizeToolName,
  toolSetConnector,
  truncateResponse,
  truncateResult,
} from 'isobox/cloudflare';

import { original, originalAi } from './cloudflare-original.mjs';

const executor = new IsoboxExecutor({ timeout: 20_000 });
const providers = [
  { name: 'codemode', fns: { add: async ({ a, b }) => a + b, fail: async () => { throw new TypeError('no city'); }, many: async (...all) => all } },
  { name: 'github', fns: { list: async () => [{ id: 1 }] } },
];

test('the executor runs every form of a program with namespaces and positional arguments', async () => {
  const run = async (code) => (await executor.execute(code, providers)).result;
  assert.equal(await run('async () => { return await codemode.add({ a: 1, b: 2 }) }'), 3);
  assert.equal(await run('async () => (await github.list()).length'), 1);
  assert.equal(await run('const x: number = await codemode.add({ a: 2, b: 2 }); return x'), 4);
  assert.equal(await run('function main() { return 7 }'), 7);
  assert.equal(await run('```js\nasync () => 8\n```'), 8);
  assert.deepEqual(await run('async () => codemode.many(1, "b", null)'), [1, 'b', null]);
  assert.equal((await executor.execute('async () => codemode.x()', { x: async () => 9 })).result, 9);
});

test('failures and logs are in the result', async () => {
  const result = await executor.execute('async () => { console.log("a", 1); console.warn("b"); console.error("c"); await codemode.fail() }', providers);
  assert.deepEqual(result, { result: undefined, error: 'no city', logs: ['a 1', '[warn] b', '[error] c'] });
  assert.match((await executor.execute('async () => codemode.nope()', providers)).error, /"nope" not found/);
  assert.match((await executor.execute('async () => 1', [{ name: 'no name', fns: {} }])).error, /not a valid JavaScript identifier/);
  assert.match((await executor.execute('async () => 1', [providers[0], providers[0]])).error, /Duplicate/);
  assert.match((await new IsoboxExecutor({ timeout: 200 }).execute('async () => { while (true) {} }', [])).error, /200/);
});

const tools = {
  add: tool({ description: 'Adds.', inputSchema: z.object({ a: z.number(), b: z.number().default(5) }), execute: async ({ a, b }) => ({ sum: a + b }) }),
  pay: tool({ inputSchema: z.object({}), needsApproval: true, execute: async () => 1 }),
};

for (const [name, create] of [['isobox/cloudflare', createCodeTool], ['the original', originalAi.createCodeTool]]) {
  test(`${name}: the code tool runs code with the executor of Isobox`, async () => {
    const code = create({ tools, executor });
    assert.match(code.description, /add/);
    assert.doesNotMatch(code.description, /pay/);
    assert.deepEqual(await code.execute({ code: 'async () => { console.log("hi"); return codemode.add({ a: 1 }) }' }, {}), { result: { sum: 6 }, logs: ['hi'] });
    await assert.rejects(code.execute({ code: 'async () => { console.log("hi"); throw new Error("bad") }' }, {}), (error) => error.message === 'Code execution failed: bad\n\nConsole output:\nhi');
    await assert.rejects(code.execute({ code: 'async () => codemode.pay({})' }, {}));
  });
}

test('a description may place the types', () => {
  assert.match(createCodeTool({ tools, executor, description: 'Types: {{types}}' }).description, /^Types: declare const codemode: \{/);
});

test('tools that need approval are not resolved', () => {
  assert.deepEqual(Object.keys(resolveProvider({ tools }).fns), ['add']);
  assert.equal(resolveProvider({ name: 'n', tools }).name, 'n');
});

test('the utilities agree with those of the original', async () => {
  for (const name of ['a-b.c d', '', '1x', 'class', 'ok_$', 'ä!', 'default', 'a/b', '---']) {
    assert.equal(sanitizeToolName(name), original.sanitizeToolName(name), name);
  }
  for (const [text, options] of [['x'.repeat(10), {}], ['x'.repeat(50), { maxChars: 20 }], ['y'.repeat(90), { maxTokens: 10 }]]) {
    assert.equal(truncateResponse(text, options), original.truncateResponse(text, options));
  }
  const small = { a: 1 };
  assert.equal(truncateResult(small), small);
  assert.match(truncateResult({ a: 'x'.repeat(100) }, { maxChars: 20 }), /TRUNCATED/);
  assert.match(generateTypesFromJsonSchema({ 'a-b': { description: 'D.', inputSchema: { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] } }, bad: { inputSchema: { type: 7 } } }), /declare const codemode: \{[^]*a_b/);
  for (const code of ['async () => 1', '() => 1', '1 + 1', 'return 2', 'const a = 3; return a', '```ts\nreturn 4\n```', 'function f() { return 5 }', 'async (x) => { return 6 }']) {
    const result = async (normal) => (await executor.execute(normal, [])).result;
    assert.deepEqual(await result(normalizeCode(code)), await result(original.normalizeCode(code)), code);
  }
});

test('runCode gives the result, and logs where there are some', async () => {
  assert.deepEqual(await runCode({ code: '1 + 1', executor, providers: [] }), { result: 2 });
});

/** A connector with an approval, an undo and hooks. */
class Shop extends CodemodeConnector {
  calls = [];
  passes = [];
  name() { return 'shop'; }
  instructions() { return 'Be careful.'; }
  tools() {
    return {
      find: { description: 'Finds an item.', inputSchema: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] }, execute: ({ q }) => { this.calls.push(`find ${q}`); return { id: 7 }; } },
      buy: { requiresApproval: true, execute: ({ id }, { executionId }) => { this.calls.push(`buy ${id}`); assert.match(executionId, /^exec_/); return 'bought'; }, revert: ({ id }, result) => { this.calls.push(`return ${id} ${result}`); } },
      now: { replay: 'reexecute', execute: () => { this.calls.push('now'); return 1; } },
    };
  }
  async onPassEnd(_, status) { this.passes.push(status); }
  async disposeExecution(_, status) { this.passes.push(`disposed ${status}`); }
}

const CODE = 'async () => { const { id } = await shop.find({ q: "tea" }); await shop.now({}); const r = await shop.buy({ id }); console.log("ok"); return { r } }';

for (const [kind, url] of [['SQLite', undefined], ['PostgreSQL', process.env.ISOBOX_TEST_POSTGRES]]) test(`the runtime handle pauses, survives, approves, lists and rolls back over ${kind}`, { skip: kind === 'PostgreSQL' && url === undefined && 'ISOBOX_TEST_POSTGRES is not set' }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'isobox-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const store = url ?? `sqlite:${join(folder, 'shop.db')}`;
  // A database may have executions of others.
  const name = `shop-${process.pid}-${Date.now()}`;
  const before = new Shop();
  const paused = await createCodemodeRuntime({ connectors: [before], store, name }).tool().execute({ code: CODE });
  assert.equal(paused.status, 'paused');
  assert.deepEqual(paused.pending, [{ executionId: paused.executionId, seq: 2, connector: 'shop', method: 'buy', args: { id: 7 } }]);
  assert.deepEqual(before.passes, ['paused']);

  const shop = new Shop();
  const runtime = createCodemodeRuntime({ connectors: [shop], store, name, transformResult: (result) => ({ ...result, seen: true }) });
  const { executionId } = paused;
  assert.deepEqual(await runtime.pending(), paused.pending);
  assert.equal((await runtime.executions())[0].status, 'paused');
  assert.deepEqual(await runtime.approve({ executionId }), { status: 'completed', executionId, result: { r: 'bought', seen: true }, logs: ['ok'] });
  assert(shop.calls.includes('buy 7') && !shop.calls.includes('find tea'), String(shop.calls));
  assert.deepEqual(shop.passes, ['completed', 'disposed completed']);
  assert.equal((await runtime.approve({ executionId })).status, 'error');
  const [state] = await runtime.executions();
  assert.match(state.code, /shop\.find/);
  assert.doesNotMatch(state.code, /^const shop/);
  assert.deepEqual([state.status, state.result], ['completed', { r: 'bought' }]);
  assert.deepEqual(state.log.map(({ seq, connector, method, args, requiresApproval, ephemeral, state }) => [seq, connector, method, args, requiresApproval, ephemeral, state]), [
    [0, 'shop', 'find', { q: 'tea' }, false, undefined, 'applied'],
    [1, 'shop', 'now', {}, false, true, 'applied'],
    [2, 'shop', 'buy', { id: 7 }, true, undefined, 'applied'],
  ]);
  await runtime.rollback({ executionId });
  assert.equal(shop.calls.at(-1), 'return 7 bought');
  assert.equal((await runtime.executions())[0].status, 'rolled_back');
  assert.equal((await createCodemodeRuntime({ connectors: [shop], store, name: `${name}-other` }).executions()).length, 0);
  assert.equal(await runtime.deleteExecution(executionId), true);
  assert.equal(await runtime.deleteExecution(executionId), false);
});

test('the runtime handle rejects, expires, prunes and reports errors', async () => {
  const shop = new Shop();
  const runtime = createCodemodeRuntime({ connectors: [shop] });
  const code = runtime.tool();
  const { executionId } = await code.execute({ code: CODE });
  assert.equal(await runtime.reject({ seq: 9, executionId }), false);
  assert.equal(await runtime.reject({ seq: 2, executionId }), true);
  assert.equal((await runtime.executions())[0].status, 'rejected');
  assert.equal(await runtime.reject({ seq: 2, executionId }), false);
  const failed = await code.execute({ code: 'async () => { await shop.find({ q: 7 }) }' });
  assert.equal(failed.status, 'error');
  assert.match(failed.error, /q/);
  assert.deepEqual(await runtime.expirePaused(), []);
  assert.equal(await runtime.pruneExecutions(1), 1);
  const stale = await code.execute({ code: CODE });
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(await runtime.expirePaused({ maxAgeMs: 1 }), [stale.executionId]);
  assert.deepEqual((await runtime.executions()).map(({ status }) => status), ['rejected', 'error']);
  assert.equal((await runtime.approve(stale)).error, `Execution "${stale.executionId}" is not paused (status: rejected); only a paused run can be approved.`);
  assert.match((await runtime.approve({ executionId: `exec_${'0'.repeat(44)}` })).error, /^No execution /);
  assert.match((await code.execute({ code: 'x'.repeat(1_000_001) })).error, /1000001 characters/);
});

/** Gives all runs and requests of runtimes these ends, until the test is over. */
function endsWith(t, end) {
  const executions = Object.getPrototypeOf(new Isobox().executions);
  t.mock.method(Isobox.prototype, 'start', () => ({ id: ID, outcome: end() }));
  t.mock.method(executions, 'resume', () => end());
}

const ID = `exec_${'1'.repeat(44)}`;
const failure = { code: 'STORE', name: 'StoreError', message: 'the disk is full', hint: 'do not run the program again, resume the execution' };

test('an execution that is not over is reported with its ID and how to continue it, and is not disposed', async (t) => {
  const interrupted = { status: 'interrupted', executionId: ID, error: failure, logs: [], calls: [], durationMs: 1 };
  for (const [end, reason] of [
    [async () => interrupted, 'the disk is full'],
    [async () => null, 'another process runs'],
    [async () => { throw new StoreError(failure); }, 'the disk is full'],
  ]) {
    endsWith(t, end);
    const shop = new Shop();
    const runtime = createCodemodeRuntime({ connectors: [shop] });
    for (const ended of [await runtime.tool().execute({ code: 'async () => 1' }), await runtime.resume({ executionId: ID })]) {
      assert.deepEqual([ended.status, ended.executionId], ['error', ID]);
      for (const part of [reason, ID, 'do not run the program again', 'call `resume({ executionId })`']) assert(ended.error.includes(part), ended.error);
    }
    assert(!shop.passes.some((pass) => pass.startsWith('disposed')), String(shop.passes));
    t.mock.restoreAll();
  }
  endsWith(t, async () => ({ status: 'completed', executionId: ID, result: 5, logs: [], calls: [], durationMs: 1 }));
  const shop = new Shop();
  assert.equal((await createCodemodeRuntime({ connectors: [shop] }).resume({ executionId: ID })).result, 5);
  assert.deepEqual(shop.passes, ['completed', 'disposed completed']);
});

test('programs find connectors, and record steps', async () => {
  const runtime = createCodemodeRuntime({ connectors: [new Shop(), toolSetConnector(undefined, { tools })] });
  const { result } = await runtime.tool().execute({ code: 'async () => [(await codemode.search("finds item")).results[0].path, (await codemode.describe("shop.find")).types.includes("q: string"), await codemode.step("s", () => 5), await toolset.add({ a: 1 })]' });
  assert.deepEqual(result, ['shop.find', true, 5, { sum: 6 }]);
  const paused = await runtime.tool().execute({ code: 'async () => toolset.pay({})' });
  assert.equal(paused.status, 'paused');
  assert.match(runtime.tool({ connectorHints: { shop: 'buys things' } }).description, /shop: buys things/);
});

test('code of an execution is saved as a snippet, found, described, run with an input, and deleted', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'isobox-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const store = `sqlite:${join(folder, 'shop.db')}`;
  const shop = new Shop();
  const runtime = createCodemodeRuntime({ connectors: [shop], store });
  const { execute } = runtime.tool();
  const code = 'async (input) => (await shop.find({ q: input?.q ?? "tea" })).id + (input?.add ?? 0)';
  const { executionId, result } = await execute({ code });
  assert.equal(result, 7);
  const inputSchema = { type: 'object', properties: { q: { type: 'string' }, add: { type: 'number' } } };
  const saved = await runtime.saveSnippet('find-item', { executionId, description: 'Finds the ID of an item in the shop.', inputSchema });
  const { savedAt, ...rest } = saved;
  assert(Math.abs(savedAt - Date.now()) < 60_000);
  assert.deepEqual(rest, { name: 'find-item', description: 'Finds the ID of an item in the shop.', code, inputSchema, connectors: ['shop'] });
  assert.deepEqual(await runtime.snippets(), [saved]);

  assert.equal((await execute({ code: 'async () => codemode.run("find-item", { q: "milk", add: 3 })' })).result, 10);
  assert.match((await execute({ code: 'async () => codemode.run("find-item", { add: "x" })' })).error, /add/, 'the schema is checked');
  const found = await execute({ code: 'async () => { const { results } = await codemode.search("ID of an item in the shop"); return [results.find(({ kind }) => kind === "snippet"), await codemode.describe("find-item")] }' });
  const [{ score, ...match }, described] = found.result;
  assert.deepEqual(match, { path: 'find-item', connector: 'snippet', method: 'find-item', description: saved.description, kind: 'snippet' });
  assert.deepEqual([described.path, described.kind, described.description], ['find-item', 'snippet', saved.description]);
  assert.match(described.types, /find-item[^]*add\?: number/);
  assert.deepEqual((await execute({ code: 'async () => codemode.run("nothing")' })).result, { error: 'Snippet "nothing" not found.' });

  const other = createCodemodeRuntime({ connectors: [shop], store, name: 'other' });
  assert.deepEqual(await other.snippets(), []);
  assert.deepEqual((await other.tool().execute({ code: 'async () => [await codemode.run("find-item"), (await codemode.search("find item")).results.map(({ kind }) => kind)]' })).result, [{ error: 'Snippet "find-item" not found.' }, ['method']]);
  const without = createCodemodeRuntime({ connectors: [], store });
  assert.match((await without.tool().execute({ code: 'async () => codemode.run("find-item")' })).result.error, /shop/);

  assert.equal(await runtime.deleteSnippet('find-item'), true);
  assert.equal(await runtime.deleteSnippet('find-item'), false);
  assert.deepEqual((await execute({ code: 'async () => codemode.run("find-item")' })).result, { error: 'Snippet "find-item" not found.' });
});

test('a snippet pauses for approval, and is saved again under its name', async () => {
  const shop = new Shop();
  const runtime = createCodemodeRuntime({ connectors: [shop] });
  const { execute } = runtime.tool();
  const first = await execute({ code: 'async () => 1' });
  await runtime.saveSnippet('buy', { executionId: first.executionId });
  const buying = await execute({ code: 'async (input = { id: 1 }) => shop.buy({ id: input.id })' });
  assert.equal(buying.status, 'paused');
  await runtime.saveSnippet('buy', { executionId: buying.executionId });
  assert.equal((await runtime.snippets()).length, 1);
  const paused = await execute({ code: 'async () => { await shop.find({ q: "a" }); return codemode.run("buy", { id: 3 }) }' });
  const [action] = paused.pending;
  assert.deepEqual([action.connector, action.method, action.args], ['shop', 'buy', { id: 3 }]);
  assert(action.seq > 1 && action.seq < 2, String(action.seq));
  assert.equal((await runtime.approve(paused)).result, 'bought');
  const again = await execute({ code: 'async () => codemode.run("buy", { id: 4 })' });
  assert.equal(await runtime.reject(again.pending[0]), true);
  assert.deepEqual(shop.calls, ['find a', 'buy 3']);
  const wrong = (message) => (error) => error instanceof TypeError && error.message.includes(message);
  await assert.rejects(runtime.saveSnippet('', { executionId: first.executionId }), wrong('`name` is ""'));
  await assert.rejects(runtime.saveSnippet('x', {}), wrong('`executionId` is undefined'));
  await assert.rejects(runtime.saveSnippet('x'.repeat(70), { executionId: first.executionId }), wrong('expected a shorter one'));
  await assert.rejects(runtime.saveSnippet('x', { executionId: `exec_${'0'.repeat(44)}` }), /No execution .* to save from/);
});

test('runtimes of one store prune and expire their own executions only', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'isobox-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const store = `sqlite:${join(folder, 'shop.db')}`;
  const [one, other] = ['one', 'other'].map((name) => createCodemodeRuntime({ connectors: [new Shop()], store, name, maxExecutions: 1 }));
  await other.tool().execute({ code: 'async () => 1' });
  const { executionId } = await other.tool().execute({ code: CODE });
  for (let n = 0; n < 3; n++) await one.tool().execute({ code: 'async () => 1' });
  assert.equal((await one.executions()).length, 2, 'one that was kept, and the last one');
  assert.equal(await one.pruneExecutions(0), 2);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(await one.expirePaused({ maxAgeMs: 1 }), []);
  assert.deepEqual((await other.executions()).map(({ status }) => status), ['paused', 'completed']);
  assert.equal((await other.approve({ executionId })).status, 'completed');
});

test('an execution is not continued without its connectors', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'isobox-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const store = `sqlite:${join(folder, 'shop.db')}`;
  const { executionId } = await createCodemodeRuntime({ connectors: [new Shop()], store }).tool().execute({ code: CODE });
  const without = createCodemodeRuntime({ connectors: [], store });
  assert.equal((await without.approve({ executionId })).error, `Execution "${executionId}" requires connector(s) "shop" that are not configured on this runtime.`);
  assert.equal((await createCodemodeRuntime({ connectors: [new Shop()], store }).approve({ executionId })).status, 'completed');
});

test('a transformResult that fails changes nothing', async (t) => {
  t.mock.method(console, 'warn', () => {});
  const runtime = createCodemodeRuntime({ connectors: [], transformResult: () => { throw new Error('no'); } });
  assert.equal((await runtime.tool().execute({ code: 'async () => 7' })).result, 7);
});

test('wrong connectors are refused', () => {
  assert.throws(() => createCodemodeRuntime({}), /`connectors` is undefined/);
  assert.throws(() => createCodemodeRuntime({ connectors: [new Shop(), new Shop()] }), TypeError);
  assert.throws(() => createCodemodeRuntime({ connectors: [], name: 'a b' }), /`name` is "a b"/);
});
