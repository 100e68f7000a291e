// Snippets and sessions.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';

import { z } from 'zod';

import { Isobox, tool, unwrap } from 'isobox';

const tools = {
  double: tool({ inputSchema: z.object({ n: z.number() }), execute: ({ n }) => n * 2 }),
  pay: tool({ needsApproval: true, execute: ({ amount }) => `paid ${amount}` }),
};
const DOUBLED = 'async (input = { n: 1 }) => tools.double({ n: input.n })';

test('the program of a completed execution is saved, and run by other programs and processes', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'isobox-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const store = `sqlite:${join(folder, 'isobox.db')}`;
  const first = new Isobox({ tools, store });
  const { executionId } = await first.run(DOUBLED);
  const saved = await first.snippets.save('doubled', { from: executionId, description: 'Doubles a number.', inputSchema: z.object({ n: z.number() }), by: 'ada' });
  assert.deepEqual(
    [saved.name, saved.version, saved.by, saved.from, saved.tools, saved.trust, saved.uses],
    ['doubled', 1, 'ada', executionId, ['double'], 'untrusted', { successes: 0, failures: 0 }],
  );
  assert.equal(saved.files[saved.entry], DOUBLED);
  assert.equal(saved.inputSchema.properties.n.type, 'number');
  await first.close();

  const second = new Isobox({ tools, store });
  assert.deepEqual((await second.snippets.list()).map(({ name, version, files }) => [name, version, files]), [['doubled', 1, undefined]]);
  assert.equal(unwrap(await second.run('return await codemode.run("doubled", { n: 21 })')), 42);
  assert.equal(unwrap(await second.run('return await codemode.run("doubled", { n: 21 })', { durable: false })), 42);
  const outcome = await second.snippets.run('doubled', { n: 4 }, { principal: 'grace', details: { inputs: true } });
  assert.equal(unwrap(outcome), 8);
  assert.deepEqual(outcome.calls.map(({ seq, path }) => [seq, path]), [['0', 'codemode.run'], ['0.0', 'double']]);
  assert.equal((await second.executions.get(outcome.executionId)).owner, 'grace');
  assert.equal(unwrap(await second.snippets.run('doubled@1', { n: 5 })), 10);
  const refused = await second.snippets.run('doubled', { n: 'x' });
  assert.equal(refused.error.code, 'INVALID_INPUT');
  assert((await second.snippets.get('doubled')).uses.successes >= 4);
  await second.close();
});

test('a program that was not run is put, versions are kept, and snippets are found with the tools', async () => {
  const isobox = new Isobox({ tools, store: 'memory', snippets: { provisional: 1, trusted: 2 } });
  await isobox.snippets.put('quarterlyReport', 'return { total: input }', { description: 'Adds up a quarter.' });
  const second = await isobox.snippets.put('quarterlyReport', { 'main.ts': 'import { one } from "./one"; export default () => one', 'one.ts': 'export const one = 1' });
  assert.deepEqual([second.version, second.versions, Object.keys(second.files), second.entry], [2, [1, 2], ['main.ts', 'one.ts'], 'main.ts']);
  assert.equal((await isobox.snippets.get('quarterlyReport', { version: 1 })).description, 'Adds up a quarter.');
  await isobox.snippets.put('quarterlyReport', 'return { total: input }', { description: 'Adds up a quarter.' });
  assert.equal((await isobox.search('quarterly report')).results[0].path, 'quarterlyReport');
  assert.match(await isobox.briefing(), /quarterlyReport/);
  assert.deepEqual(unwrap(await isobox.snippets.run('quarterlyReport', 7)), { total: 7 });
  assert.equal((await isobox.snippets.get('quarterlyReport')).trust, 'provisional');
  await isobox.snippets.delete('quarterlyReport', { by: 'ada' });
  assert.deepEqual(await isobox.snippets.list(), []);
  await assert.rejects(isobox.snippets.get('quarterlyReport'), { code: 'NOT_FOUND' });
});

test('examples are run and compared', async () => {
  const isobox = new Isobox({ store: 'memory' });
  const examples = [{ input: 4, result: { half: 2 } }, { input: 4, shape: { half: 7 } }, { input: 4, result: { half: 3 } }];
  await isobox.snippets.put('half', 'return { half: input / 2 }', { examples });
  const tested = await isobox.snippets.test('half');
  assert.deepEqual(tested.map(({ passed, difference }) => [passed, difference]), [[true, null], [true, null], [false, 'it gave {"half":2} instead of {"half":3}']]);
  assert.deepEqual(tested.map(({ example }) => example), examples);
  assert.equal(tested[2].outcome.status, 'completed');
});

test('only completed executions are saved, unless it is forced', async () => {
  const isobox = new Isobox({ store: 'memory' });
  const { executionId: from } = await isobox.run('throw new Error("no")');
  await assert.rejects(isobox.snippets.save('bad', { from }), { code: 'CONFLICT' });
  assert.equal((await isobox.snippets.save('bad', { from, force: true })).version, 1);
  await assert.rejects(isobox.snippets.put('bad', 'return ('), { code: 'SYNTAX' });
  await assert.rejects(isobox.snippets.put('not a name', 'return 1'), { code: 'INVALID_INPUT' });
  await assert.rejects(new Isobox().snippets.list(), { code: 'CONFIG' });
  await assert.rejects(new Isobox().snippets.run('any'), { code: 'CONFIG' });
});

test('a pause inside a snippet shows its code, and survives a change of the snippet', async () => {
  const isobox = new Isobox({ tools, store: 'memory' });
  await isobox.snippets.put('pays', 'return tools.pay({ amount: input })');
  const paused = await isobox.snippets.run('pays', 7);
  const [{ seq, path, snippet }] = paused.pending;
  assert.deepEqual([seq, path, snippet.name, snippet.version, snippet.code], ['0.0', 'pay', 'pays', 1, 'return tools.pay({ amount: input })']);
  await isobox.snippets.delete('pays');
  assert.equal(unwrap(await isobox.executions.approve(paused.executionId, { revision: paused.revision })), 'paid 7');
});

test('sessions are listed, forked, rewound and deleted, with and without a store', async () => {
  for (const options of [{}, { store: 'memory' }]) {
    const isobox = new Isobox(options);
    const cell = (program, session = 'notebook') => isobox.run(program, { session, globals: true });
    unwrap(await cell('globalThis.n = 1'));
    unwrap(await cell('n += 1'));
    assert.deepEqual((await isobox.sessions.list()).map(({ name, versions }) => [name, versions.map(({ number }) => number)]), [['notebook', [1, 2]]]);
    await isobox.sessions.fork('notebook', 'copy', { version: 1 });
    assert.equal(unwrap(await cell('return n', 'copy')), 1);
    await isobox.sessions.rewind('notebook', 1);
    assert.equal(unwrap(await cell('return n')), 1);
    assert.equal((await isobox.sessions.get('copy')).name, 'copy');
    await isobox.sessions.delete('copy');
    await assert.rejects(isobox.sessions.get('copy'), { code: 'NOT_FOUND' });
    await isobox.close();
  }
});

test('a session that is in use refuses another program if the program does not wait', async () => {
  let answer;
  const isobox = new Isobox({ tools: { wait: tool({ execute: () => new Promise((resolve) => (answer = resolve)) }) } });
  const first = isobox.run('await tools.wait(); globalThis.n = 1', { session: 's', globals: 'wait' });
  while (answer === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
  const refused = await isobox.run('return n', { session: 's', globals: 'refuse' });
  assert.equal(refused.error.code, 'CONFLICT');
  const second = isobox.run('return n', { session: 's', globals: true });
  answer();
  unwrap(await first);
  assert.equal(unwrap(await second), 1);
});
