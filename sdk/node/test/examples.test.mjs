// The examples run.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const example = (name) => fileURLToPath(new URL(`../examples/${name}`, import.meta.url));

/** Runs an example to its end. Returns what it printed. */
function run(name, ...flags) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [...flags, example(name)], { encoding: 'utf8', timeout: 120_000 });
  assert.equal(status, 0, stderr);
  return stdout;
}

for (const [major, flags] of [[6, []], [7, ['--import', new URL('ai7.mjs', import.meta.url).href]]]) {
  test(`agent, AI SDK ${major}: call, pause, approval, continue, answer`, { skip: major === 7 && nodeModule.registerHooks === undefined && 'Node 22.15 is needed' }, () => {
    assert.equal(run('agent.mjs', ...flags), 'approve refund({"id":2,"amount":35})? yes\napprove refund({"id":3,"amount":15})? yes\nanswer: I refunded 50 € for 2 orders.\nrefunded: 2, 3\n');
  });
}

test('chat: TanStack AI calls the code tool, and answers', () => {
  assert.equal(run('chat.mjs'), 'external_listCities({})\nexternal_weather({"city":"Rome"})\nexternal_weather({"city":"Oslo"})\nexternal_weather({"city":"Cairo"})\nlog: asked 3 stations\nanswer: It is warmest in Cairo, with 31 °C.\n');
});

/** Starts the server of the example. Returns its process, and a function that sends requests to it. */
async function serve(t, environment) {
  const child = spawn(process.execPath, [example('server.mjs')], { env: { ...process.env, ...environment, PORT: '0' }, stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  const port = /(\d+)/.exec(String(line))[1];
  const ask = async (method, path, body, headers = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...(body !== undefined && { body }) });
    return [response.status, await response.json()];
  };
  const kill = async () => {
    child.kill('SIGKILL');
    await once(child, 'close');
  };
  return { ask, kill };
}

/** Waits until something is there, at most for a time. */
async function until(what, find, ms) {
  const end = Date.now() + ms;
  for (;;) {
    const found = await find();
    if (found) return found;
    assert(Date.now() < end, `${what} did not happen within ${ms} ms`);
    await wait(100);
  }
}

test('server: programs survive the death of their servers, before and during a call, and nothing is done twice', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'isobox-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const LEDGER = join(folder, 'ledger.txt');
  const STORE = process.env.ISOBOX_TEST_POSTGRES ?? `sqlite:${join(folder, 'server.db')}`;
  t.diagnostic(`the store is ${process.env.ISOBOX_TEST_POSTGRES ? 'PostgreSQL' : 'SQLite: ISOBOX_TEST_POSTGRES is not set'}`);
  const environment = { STORE, LEDGER, NAME: `server-${process.pid}-${Date.now()}` };
  const booked = () => (existsSync(LEDGER) ? readFileSync(LEDGER, 'utf8') : '').split('\n').filter((line) => line !== '').map((line) => line.split(' ').slice(0, -1).join(' '));

  const first = await serve(t, environment);
  const program = 'const { account } = await tools.bank.open({ name: "ada" }); return await tools.bank.pay({ to: account, euros: 30 })';
  const [, paused] = await first.ask('POST', '/run', program);
  assert.equal(paused.status, 'paused');
  assert.deepEqual(booked(), ['open ada']);
  await first.kill();

  const second = await serve(t, { ...environment, BANK_TAKES_MS: '60000' });
  const [, [waiting]] = await second.ask('GET', '/pending');
  assert.deepEqual([waiting.executionId, waiting.revision, waiting.pending[0].path, waiting.pending[0].input], [paused.executionId, paused.revision, 'bank.pay', { to: 'ada', euros: 30 }]);
  const decision = { id: paused.executionId, revision: paused.revision, by: 'grace' };
  assert.equal((await second.ask('POST', '/approve', JSON.stringify({ ...decision, revision: 99 })))[0], 409);
  const cut = second.ask('POST', '/approve', JSON.stringify(decision)).catch(() => 'the connection was cut');
  await until('the payment', () => booked().includes('pay ada 30'), 20_000);
  await second.kill();
  assert.equal(await cut, 'the connection was cut');

  const third = await serve(t, environment);
  const found = await until('the continuation', async () => {
    const [, { outcome }] = await third.ask('GET', `/executions/${paused.executionId}`);
    return outcome?.status === 'completed' && outcome;
  }, 90_000);
  assert.equal(found.result.paid, 30);
  assert(found.result.attempt > 1, 'the bank was asked again, with the same key');
  assert.deepEqual(booked(), ['open ada', 'pay ada 30']);
  assert.deepEqual(await third.ask('GET', '/pending'), [200, []]);
  assert.equal((await third.ask('POST', '/approve', JSON.stringify(decision)))[0], 409);
  assert.deepEqual(booked(), ['open ada', 'pay ada 30']);
});

test('server: a request that is sent again runs once', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'isobox-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const { ask } = await serve(t, { STORE: `sqlite:${join(folder, 'server.db')}`, LEDGER: join(folder, 'ledger.txt') });
  const send = () => ask('POST', '/run', 'return await tools.bank.open({ name: "ada" })', { 'idempotency-key': 'order 7' });
  assert.deepEqual((await send())[1].result, { account: 'ada' });
  assert.deepEqual((await send())[1].result, { account: 'ada' });
  assert.equal(readFileSync(join(folder, 'ledger.txt'), 'utf8').split('\n').length, 2);
});
