// The examples run.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

/** Starts the server of the example. Returns its process, and a function that sends requests to it. */
async function start(store) {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../examples/approvals.mjs', import.meta.url))], { env: { ...process.env, STORE: store, PORT: '0' } });
  const [line] = await once(child.stdout, 'data');
  const port = /(\d+)/.exec(String(line))[1];
  const ask = async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...(body !== undefined && { body }) });
    return [response.status, await response.json()];
  };
  return [child, ask];
}

test('approvals: a program that waits survives the death of its server, and is approved at the next', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'isobox-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const store = process.env.ISOBOX_TEST_POSTGRES ?? `sqlite:${join(folder, 'approvals.db')}`;
  const [first, askFirst] = await start(store);
  const [, paused] = await askFirst('POST', '/run', 'return await tools.mail.send({ to: "ada" })');
  assert.equal(paused.status, 'paused');
  first.kill('SIGKILL');
  await once(first, 'close');

  const [second, ask] = await start(store);
  t.after(() => second.kill());
  // A database may have executions of others.
  const pending = async () => (await ask('GET', '/pending'))[1].filter(({ executionId }) => executionId === paused.executionId);
  assert.deepEqual((await pending()).map(({ executionId, revision, pending: [{ path, input }] }) => [executionId, revision, path, input]), [[paused.executionId, paused.revision, 'mail.send', { to: 'ada' }]]);
  const body = { id: paused.executionId, revision: paused.revision, by: 'grace' };
  assert.equal((await ask('POST', '/approve', JSON.stringify({ ...body, revision: 99 })))[0], 409);
  const [status, outcome] = await ask('POST', '/approve', JSON.stringify(body));
  assert.equal(status, 200);
  assert.deepEqual(outcome.result, { sent: 'ada', key: `${paused.executionId}:0` });
  assert.deepEqual(await pending(), []);
});
