// Messages of the native part: in order, also while there are many.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Isobox, tool, unwrap } from 'isobox';

test('a thousand events come in order', async () => {
  const isobox = new Isobox();
  const messages = [];
  const onEvent = ({ type, message }) => type === 'logged' && messages.push(message);
  unwrap(await isobox.run('for (let i = 0; i < 1000; i++) console.log(String(i))', { onEvent, events: 'values' }));
  assert.deepEqual(messages, Array.from({ length: 1000 }, (_, i) => String(i)));
});

test('hundreds of runs at once get their own answers, and the event loop goes on', async () => {
  const isobox = new Isobox({ tools: { echo: tool({ execute: ({ n }) => n }) }, limits: { timeout: '2m' } });
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 1);
  const outcomes = await Promise.all(Array.from({ length: 600 }, (_, n) => isobox.run(`return await tools.echo({ n: ${n} })`)));
  clearInterval(timer);
  assert.deepEqual(outcomes.map(unwrap), Array.from({ length: 600 }, (_, n) => n));
  assert.ok(ticks > 0);
});

test('runs in a row, with pauses of all lengths between them, are all answered', async () => {
  const isobox = new Isobox({ tools: { wait: tool({ execute: ({ ms }) => new Promise((resolve) => setTimeout(resolve, ms, ms)) }) } });
  for (let i = 0; i < 60; i++) {
    assert.equal(unwrap(await isobox.run(`return await tools.wait({ ms: ${i % 3} })`)), i % 3);
    if (i % 2 === 0) await new Promise((resolve) => setTimeout(resolve, i % 5));
    assert.equal(unwrap(await isobox.run('return 1')), 1);
  }
});

test('limits that change between runs take effect', async () => {
  const isobox = new Isobox();
  const limits = { result: 1000 };
  unwrap(await isobox.run('return "x".repeat(100)', { limits }));
  limits.result = 50;
  assert.equal((await isobox.run('return "x".repeat(100)', { limits })).error.code, 'RESULT_TOO_LARGE');
});
