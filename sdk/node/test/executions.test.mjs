// Durable executions: pauses, decisions, rollback; continuations without a store.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';

import { Isobox, interrupt, tool, unwrap } from 'isobox';

const LETTER = 'const id = await tools.draft({ to: "ada" }); return await tools.send({ id })';

/** Tools that count their calls. */
function post(calls) {
  return {
    draft: tool({ execute: ({ to }) => { calls.push(`draft ${to}`); return 7; }, revert: ({ input, result }) => { calls.push(`undraft ${input.to} ${result}`); } }),
    send: tool({ needsApproval: true, execute: ({ id }) => { calls.push(`send ${id}`); return 'sent'; } }),
  };
}

test('a paused execution survives its runtime, and nothing runs twice', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'isobox-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const store = `sqlite:${join(folder, 'isobox.db')}`;
  const calls = [];
  const first = new Isobox({ tools: post(calls), store });
  const paused = await first.run(LETTER, { principal: 'grace' });
  assert.equal(paused.status, 'paused');
  assert.deepEqual(paused.pending.map(({ seq, path, input, kind }) => ({ seq, path, input, kind })), [{ seq: '1', path: 'send', input: { id: 7 }, kind: 'approval' }]);
  await first.close();

  const second = new Isobox({ tools: post(calls), store });
  const { executions } = await second.executions.list({ states: ['paused'] });
  assert.deepEqual(executions.map(({ id, status, owner, pendingCalls }) => [id, status, owner, pendingCalls[0].path]), [[paused.executionId, 'paused', 'grace', 'send']]);
  const found = await second.executions.get(paused.executionId);
  assert.equal(found.status, 'paused');
  assert.equal(Object.values(found.files)[0], LETTER);
  await assert.rejects(second.executions.approve(paused.executionId, { revision: paused.revision + 1 }), {
    code: 'CONFLICT',
    details: { conflict: 'changed' },
  });
  const outcome = await second.executions.approve(paused.executionId, { revision: paused.revision, by: 'ada' });
  assert.equal(unwrap(outcome), 'sent');
  assert.deepEqual(calls, ['draft ada', 'send 7']);
  assert.equal((await second.executions.resume(paused.executionId)).status, 'completed');
  assert.equal(JSON.parse(await second.executions.export(paused.executionId)).executionId, paused.executionId);

  const back = await second.executions.rollback(paused.executionId, { by: 'ada' });
  assert.equal(back.status, 'rolled_back');
  assert.deepEqual(back.reverted, ['0']);
  assert.deepEqual(back.left.map(({ path }) => path), ['send']);
  assert.deepEqual(calls.at(-1), 'undraft ada 7');
  await second.executions.delete(paused.executionId);
  await assert.rejects(second.executions.get(paused.executionId), { code: 'NOT_FOUND' });
  await second.close();
});

test('a call can be denied, and the program goes on', async () => {
  const isobox = new Isobox({ tools: post([]), store: 'memory' });
  const paused = await isobox.run('try { await tools.send({ id: 1 }) } catch (e) { return [e.code, e.message] }');
  const outcome = await isobox.executions.deny(paused.executionId, { seq: '0', reason: 'not today' });
  const [code, message] = unwrap(outcome);
  assert.equal(code, 'APPROVAL_DENIED');
  assert.match(message, /not today/);
});

test('a decision may be recorded without resuming', async () => {
  const calls = [];
  const isobox = new Isobox({ tools: post(calls), store: 'memory' });
  const paused = await isobox.run('return await tools.send({ id: 1 })');
  assert.equal(await isobox.executions.approve(paused.executionId, { seq: ['0'], resume: false }), null);
  assert.deepEqual(calls, []);
  assert.equal((await isobox.executions.list()).executions[0].status, 'decided');
  assert.equal(unwrap(await isobox.executions.resume(paused.executionId)), 'sent');
});

test('an interrupt pauses, and the tool runs again with the resolution', async () => {
  const seen = [];
  const isobox = new Isobox({
    store: 'memory',
    tools: {
      login: tool({
        execute: (_, { resolution, interrupt: payload, attempt, idempotencyKey }) => {
          seen.push([attempt, idempotencyKey, payload]);
          return resolution === undefined ? interrupt({ kind: 'login', url: 'https://example.com' }) : resolution.token;
        },
      }),
    },
  });
  const paused = await isobox.run('return await tools.login()');
  assert.deepEqual(paused.pending.map(({ kind, payload }) => [kind, payload]), [['interrupt', { kind: 'login', url: 'https://example.com' }]]);
  assert.equal(unwrap(await isobox.executions.resolve(paused.executionId, '0', { token: 't1' })), 't1');
  assert.deepEqual(seen.map(([attempt]) => attempt), [1, 2]);
  assert.equal(seen[0][1], seen[1][1]);
  assert.deepEqual(seen[1][2], { kind: 'login', url: 'https://example.com' });
});

test('executions can be rejected, cancelled, pruned and expired', async () => {
  const isobox = new Isobox({ tools: post([]), store: 'memory' });
  const pause = () => isobox.run('return await tools.send({ id: 1 })');
  const rejected = await isobox.executions.reject((await pause()).executionId, { by: 'ada', reason: 'no' });
  assert.equal(rejected.error.code, 'REJECTED');
  const cancelled = await isobox.executions.cancel((await pause()).executionId);
  assert.equal(cancelled.error.code, 'ABORTED');
  const kept = await pause();
  assert.equal((await isobox.executions.prune({ keep: 1 })).length, 1);
  assert.deepEqual(await isobox.executions.expire({ olderThanMs: 3_600_000 }), []);
  assert.equal((await isobox.executions.get(kept.executionId)).status, 'paused');
});

test('a program sleeps in the store, and is woken when it is due', async () => {
  const isobox = new Isobox({ store: 'memory', limits: { lifetime: '1h' } });
  const asleep = await isobox.run('await new Promise((resolve) => setTimeout(resolve, 3000)); return 1');
  assert.equal(asleep.status, 'sleeping');
  assert.throws(() => unwrap(asleep), { code: 'CONFLICT', details: { conflict: 'not-over', executionId: asleep.executionId } });
  assert.deepEqual(await isobox.executions.wake(), []);
  await new Promise((resolve) => setTimeout(resolve, asleep.until - Date.now() + 50));
  const [woken] = await isobox.executions.wake();
  assert.deepEqual([woken.id, woken.outcome.result], [asleep.executionId, 1]);
});

test('a retry with the same ID does not run again', async () => {
  const calls = [];
  const isobox = new Isobox({ tools: post(calls), store: 'memory' });
  const { id, outcome } = isobox.start('return await tools.draft({ to: "ada" })');
  const one = await outcome;
  const other = await isobox.run('return await tools.draft({ to: "ada" })', { id });
  assert.deepEqual([one.result, other.result, calls.length], [7, 7, 1]);
});

test('without a store, durable runs are refused and others are not kept', async () => {
  const isobox = new Isobox();
  assert.equal((await isobox.run('return 1', { durable: true })).error.code, 'CONFIG');
  assert.equal((await isobox.run('return 1')).status, 'completed');
  await assert.rejects(isobox.executions.list(), { code: 'CONFIG' });
});

test('a run that is not durable is not kept, and does not wait, although there is a store', async () => {
  const isobox = new Isobox({ tools: post([]), store: 'memory' });
  assert.equal((await isobox.run('return await tools.send({ id: 1 })', { durable: false })).error.code, 'APPROVAL_REQUIRED');
  assert.deepEqual((await isobox.executions.list()).executions, []);
});

test('a continuation carries a paused program to another runtime with the same secret', async () => {
  const calls = [];
  const secret = 'a secret that has at least 32 bytes';
  const first = new Isobox({ tools: post(calls), continuations: { secret } });
  const paused = await first.run(LETTER, { stateless: true });
  assert.equal(paused.status, 'paused');
  await first.close();
  const second = new Isobox({ tools: post(calls), continuations: { secret } });
  const decision = { seq: '1', verdict: 'approve' };
  const another = await second.run(LETTER, { stateless: true });
  for (const wrong of [{ executionId: another.executionId }, { revision: 0 }, { revision: paused.revision + 1 }]) {
    for (const decisions of ['approve', [decision]]) {
      await assert.rejects(second.continue({ ...paused, ...wrong }, decisions), { code: 'CONFLICT' });
    }
  }
  await assert.rejects(second.continue(paused, [{ ...decision, revision: 0 }]), { code: 'CONFLICT' });
  await assert.rejects(second.continue(paused, [{ ...decision, seq: '7' }]), { code: 'NOT_FOUND' });
  assert.deepEqual(calls, ['draft ada', 'draft ada'], 'nothing was run, and the continuation is still good');
  const outcome = await second.continue(paused, [decision]);
  assert.equal(unwrap(outcome), 'sent');
  assert.deepEqual(calls, ['draft ada', 'draft ada', 'send 7']);
  await assert.rejects(second.continue(paused, 'approve'), { code: 'CONTINUATION' });
  const other = new Isobox({ tools: post(calls), continuations: { secret: secret.toUpperCase() } });
  await assert.rejects(other.continue(paused, 'approve'), { code: 'CONTINUATION' });
});

test('the tools of one run are given again when it is resumed', async () => {
  const isobox = new Isobox({ store: 'memory' });
  const calls = [];
  const paused = await isobox.run(LETTER, { tools: post(calls) });
  await assert.rejects(isobox.executions.approve(paused.executionId, { seq: '1' }), { code: 'UNKNOWN_TOOL' });
  assert.equal(unwrap(await isobox.executions.resume(paused.executionId, { tools: post(calls) })), 'sent');
  assert.deepEqual(calls, ['draft ada', 'send 7']);
});

test('a configuration file is read, and options replace its sections', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'isobox-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'isobox.json');
  writeFileSync(path, '{ // a comment\n "policy": [{ "tools": "pay", "deny": true }], "timeZone": "${ZONE}", "limits": { "calls": 1 }, }', { mode: 0o600 });
  const tools = { pay: tool({ execute: () => 'paid' }) };
  const environment = { ZONE: 'Asia/Tokyo' };
  const program = 'return [new Date(0).getHours(), await tools.pay()]';
  const strict = new Isobox({ config: path, tools, environment });
  assert.equal((await strict.run(program)).error.code, 'CHECK');
  const loose = new Isobox({ config: path, tools, environment, policy: [] });
  const outcome = await loose.run(program);
  assert.deepEqual(unwrap(outcome), [9, 'paid']);
  assert.equal((await loose.executions.get(outcome.executionId)).status, 'completed', 'the store is beside the file');
  await Promise.all([strict.close(), loose.close()]);
});

test('options replace only what they name: the time zone, the policy and its decisions of the file stay', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'isobox-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'isobox.json');
  writeFileSync(path, '{ "timeZone": "Asia/Tokyo", "ownDecisions": "deny", "store": "none", "policy": [] }', { mode: 0o600 });
  const isobox = new Isobox({ config: path, locale: 'de-DE', store: 'memory', policy: [{ tools: 'pay', require: 'approval' }], tools: { pay: tool({ execute: () => 'paid' }) } });
  const paused = await isobox.run('return [new Date(0).getHours(), (1234.5).toLocaleString(), await tools.pay()]', { principal: 'ada' });
  assert.equal(paused.status, 'paused');
  await assert.rejects(isobox.executions.approve(paused.executionId, { seq: '0', by: 'ada' }), { code: 'FORBIDDEN' });
  assert.deepEqual(unwrap(await isobox.executions.approve(paused.executionId, { seq: '0', by: 'grace' })), [9, '1.234,5', 'paid']);
});

test('a decision is remembered for the execution, and events of the resumed execution are received', async () => {
  const calls = [];
  const isobox = new Isobox({ tools: post(calls), store: 'memory' });
  const paused = await isobox.run('await tools.send({ id: 1 }); return await tools.send({ id: 1 })');
  const types = [];
  const outcome = await isobox.executions.approve(paused.executionId, { seq: '0', remember: 'execution', onEvent: ({ type }) => types.push(type) });
  assert.equal(unwrap(outcome), 'sent');
  assert.deepEqual(calls, ['send 1', 'send 1']);
  assert.equal(types[0], 'resumed');
  assert.equal(types.at(-1), 'ended');
});

test('an execution is replayed without tools, and forked before a call', async () => {
  const calls = [];
  const isobox = new Isobox({ tools: post(calls), store: 'memory' });
  const { executionId } = await isobox.run('const id = await tools.draft({ to: "ada" }); console.log(id); return await tools.draft({ to: String(id) })');
  const replay = await isobox.executions.replay(executionId);
  assert.deepEqual([replay.end, replay.calls.length, replay.logs[0].message, calls.length], ['same', 2, '7', 2]);
  assert.equal((await isobox.executions.replay(executionId, { before: '1' })).end, 'stopped');
  const transcript = await isobox.executions.export(executionId, { secrets: true });
  assert.equal((await new Isobox().executions.replay({ transcript })).end, 'same');
  const forked = await isobox.executions.fork(executionId, { before: '1', result: 'another' });
  assert.equal(unwrap(forked), 'another');
  assert.equal(calls.length, 2);
  const made = await isobox.executions.fork({ transcript }, { before: '1' });
  assert.equal(unwrap(made), 7);
  assert.equal(calls.length, 3);
});

test('a scheduler wakes what is due until its signal aborts', async () => {
  const isobox = new Isobox({ store: 'memory', limits: { lifetime: '1h' } });
  const stop = new AbortController();
  const scheduled = isobox.executions.schedule({ signal: stop.signal });
  const asleep = await isobox.run('await new Promise((resolve) => setTimeout(resolve, 2500)); return 1');
  assert.equal(asleep.status, 'sleeping');
  for (let i = 0; i < 200; i++) {
    if ((await isobox.executions.get(asleep.executionId)).status === 'completed') break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.equal((await isobox.executions.get(asleep.executionId)).outcome.result, 1);
  stop.abort();
  await scheduled;
  await assert.rejects(new Isobox().executions.schedule({ signal: AbortSignal.timeout(1000) }), { code: 'CONFIG' });
});

test('executions of a restored store are held until a person releases them', async () => {
  const isobox = new Isobox({ tools: post([]), store: 'memory' });
  const paused = await isobox.run('return await tools.send({ id: 1 })');
  assert.deepEqual(await isobox.executions.markRestored({ by: 'ada' }), [paused.executionId]);
  await assert.rejects(isobox.executions.resume(paused.executionId), { code: 'CONFLICT' });
  assert.equal((await isobox.executions.resume(paused.executionId, { restored: 'ada' })).status, 'paused');
});
