// The runtime: programs, tools, outcomes, errors.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';

import { CheckError, Isobox, IsoboxError, ThrownError, TimeoutError, ToolError, interrupt, tool, unwrap } from 'isobox';

const require = createRequire(import.meta.url);

test('a program runs and its outcome has exactly the fields of the contract', async () => {
  const isobox = new Isobox();
  const outcome = await isobox.run('console.log("hi"); return { a: [1, "ä", null] }');
  const { executionId, durationMs, ...rest } = outcome;
  assert.deepEqual(rest, { status: 'completed', result: { a: [1, 'ä', null] }, logs: [{ level: 'log', message: 'hi' }], calls: [] });
  assert.match(executionId, /^exec_[0-9a-f]{44}$/);
  assert.equal(typeof durationMs, 'number');
});

test('a program may have several files', async () => {
  const isobox = new Isobox();
  const files = { 'main.ts': 'import { twice } from "./twice"; export default twice(21)', 'twice.ts': 'export const twice = (n: number): number => n * 2' };
  assert.equal(unwrap(await isobox.run(files)), 42);
});

test('CommonJS and ES modules share one implementation', () => {
  const required = require('isobox');
  assert.equal(required.Isobox, Isobox);
  assert.equal(required.TimeoutError, TimeoutError);
});

test('tools are functions in namespaces, and calls run concurrently', async () => {
  let running = 0;
  let most = 0;
  const isobox = new Isobox({
    tools: {
      math: {
        twice: tool({
          description: 'Doubles a number.',
          inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
          execute: async ({ n }) => {
            most = Math.max(most, ++running);
            await new Promise((resolve) => setTimeout(resolve, 20));
            running--;
            return n * 2;
          },
        }),
      },
    },
  });
  const outcome = await isobox.run('return await Promise.all([1, 2, 3].map((n) => tools.math.twice({ n })))');
  assert.deepEqual(unwrap(outcome), [2, 4, 6]);
  assert.equal(most, 3);
  assert.deepEqual(outcome.calls.map(({ seq, path, state }) => [seq, path, state]), [
    ['0', 'math.twice', 'applied'],
    ['1', 'math.twice', 'applied'],
    ['2', 'math.twice', 'applied'],
  ]);
});

test('the error of an execution that is not over names the execution', () => {
  const error = { code: 'STORE', name: 'StoreError', message: 'the disk is full', details: { transient: true } };
  const interrupted = { status: 'interrupted', executionId: 'exec_1', error, logs: [], calls: [], durationMs: 1 };
  assert.throws(() => unwrap(interrupted), (thrown) => {
    assert.equal(thrown.code, 'STORE');
    assert.deepEqual(thrown.details, { transient: true, executionId: 'exec_1' });
    return true;
  });
});

test('failures are outcomes with codes and places, and unwrap throws the class of the code', async () => {
  const isobox = new Isobox();
  const outcome = await isobox.run('const x = 1;\nthrow new TypeError("no " + x)');
  assert.equal(outcome.status, 'failed');
  assert.equal(outcome.error.code, 'THROWN');
  assert.equal(outcome.error.line, 2);
  assert.throws(() => unwrap(outcome), (error) => {
    assert(error instanceof ThrownError && error instanceof IsoboxError);
    assert.deepEqual([error.code, error.name, error.programName, error.line], ['THROWN', 'ThrownError', 'TypeError', 2]);
    return true;
  });
  const late = await isobox.run('while (true) {}', { limits: { timeout: 200 } });
  assert.throws(() => unwrap(late), TimeoutError);
});

test('a program sees the message of a tool that throws, and the host the whole error', async () => {
  const seen = [];
  const isobox = new Isobox({
    tools: {
      plain: tool({ execute: () => { throw new TypeError('no such table\n    at query (/srv/app/db.js:1:2)'); } }),
      precise: tool({ execute: () => { throw new ToolError('not found', { details: { status: 404 } }); } }),
      odd: tool({ execute: () => Promise.reject(7) }),
    },
    onError: (error, where) => seen.push([error?.constructor?.name, where.in, where.path]),
  });
  const outcome = await isobox.run(`
    const of = async (call) => { try { await call() } catch (e) { return [e.name, e.code, e.message, e.status, e.stack?.includes('db.js')] } };
    return [await of(() => tools.plain()), await of(() => tools.precise()), await of(() => tools.odd())]`);
  const [plain, precise, odd] = unwrap(outcome);
  assert.equal(plain[1], 'TOOL');
  assert.match(plain[2], /no such table/);
  assert.doesNotMatch(plain[2], /srv|db\.js/);
  assert.notEqual(plain[4], true);
  assert.deepEqual(precise.slice(1, 4), ['TOOL', 'not found', 404]);
  assert.equal(odd[2], 'the tool failed');
  assert.deepEqual(seen, [['TypeError', 'tool', 'plain'], ['ToolError', 'tool', 'precise'], ['Number', 'tool', 'odd']]);
});

test('an async iterable streams progress, and its last value is the result', async () => {
  const isobox = new Isobox({
    tools: {
      count: tool({
        async *execute() {
          yield 1;
          await new Promise((resolve) => setTimeout(resolve, 30));
          yield 2;
        },
      }),
      nothing: tool({ async *execute() {} }),
    },
  });
  const execution = isobox.start('return await tools.count()');
  const progress = [];
  for await (const event of execution) if (event.type === 'callProgressed') progress.push(event.progress.value);
  assert.equal(unwrap(await execution.outcome), 2);
  assert(progress.includes(1), String(progress));
  const empty = await isobox.run('return await tools.nothing()');
  assert.equal(empty.error.code, 'TOOL');
});

test('start gives the ID at once, all events in order, and the outcome', async () => {
  const isobox = new Isobox({ tools: { add: tool({ execute: ({ a, b }) => a + b }) } });
  const execution = isobox.start('console.warn("w"); return await tools.add({ a: 1, b: 2 })');
  assert.match(execution.id, /^exec_/);
  const types = [];
  for await (const event of execution) {
    assert.equal(event.number, types.length);
    types.push(event.type);
  }
  assert.deepEqual(types, ['started', 'logged', 'callIssued', 'callStarted', 'callSettled', 'ended']);
  const outcome = await execution.outcome;
  assert.equal(outcome.executionId, execution.id);
  assert.equal(outcome.result, 3);
  const again = [];
  for await (const event of execution) again.push(event.type);
  assert.deepEqual(again, types);
});

test('large events that are not read are dropped, but for the last', async () => {
  const isobox = new Isobox({ tools: { large: tool({ execute: () => 'x'.repeat(900_000) }) } });
  const execution = isobox.start('for (let i = 0; i < 8; i++) await tools.large(); return 1');
  assert.equal(unwrap(await execution.outcome), 1);
  const events = [];
  for await (const event of execution) events.push(event);
  const { length } = JSON.stringify(events);
  assert(length > 2_000_000 && length < 4.5 * 1024 * 1024, String(length));
  assert(events[0].number > 0 && events.at(-1).type === 'ended', JSON.stringify(events.map(({ number, type }) => [number, type])));
});

test('the context identifies the call and aborts when the program is cancelled', async () => {
  let context;
  let aborted;
  const isobox = new Isobox({
    tools: {
      wait: tool({
        execute: (_, given) => {
          context = given;
          aborted = new Promise((resolve) => given.signal.addEventListener('abort', resolve));
          return new Promise(() => {});
        },
      }),
    },
  });
  const stop = new AbortController();
  const running = isobox.run('return await tools.wait({})', { signal: stop.signal, principal: { name: 'ada', roles: ['ops'] }, session: 's1' });
  while (context === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual([context.seq, context.attempt, context.path, context.caller, context.session], ['0', 1, 'wait', { name: 'ada', roles: ['ops'] }, 's1']);
  assert.equal(context.idempotencyKey, `${context.executionId}:0`);
  stop.abort();
  const outcome = await running;
  assert.equal(outcome.error.code, 'ABORTED');
  await aborted;
  assert.equal(context.signal.aborted, true);
});

test('a signal that has aborted before ends the run', async () => {
  const outcome = await new Isobox().run('while (true) {}', { signal: AbortSignal.abort() });
  assert.equal(outcome.error.code, 'ABORTED');
});

test('a tool that never settles ends with the time-out', async () => {
  const isobox = new Isobox({ tools: { never: tool({ execute: () => new Promise(() => {}) }) } });
  const outcome = await isobox.run('return await tools.never()', { limits: { timeout: '200ms' } });
  assert.equal(outcome.error.code, 'TIMEOUT');
});

test('tools of one run are there for that run alone', async () => {
  const isobox = new Isobox();
  const tools = { own: tool({ execute: () => 'mine' }) };
  assert.equal(unwrap(await isobox.run('return await tools.own()', { tools })), 'mine');
  assert.equal((await isobox.run('return await tools.own()', { checks: 'off' })).error.code, 'UNKNOWN_TOOL');
});

test('search, describe, types and briefing show the tools', async () => {
  const isobox = new Isobox({
    tools: {
      mail: { send: tool({ description: 'Sends a letter.', inputSchema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] }, needsApproval: true, execute: () => null }) },
    },
  });
  const found = await isobox.search('send letter');
  assert.deepEqual(found.results.map(({ path, requiresApproval }) => [path, requiresApproval]), [['mail.send', true]]);
  assert.match((await isobox.describe('mail.send')).types, /to: string/);
  assert.match(await isobox.types(), /to: string/);
  assert.match(await isobox.briefing(), /Sends a letter/);
  assert.match(await isobox.briefing({ template: 'T {{types}}' }), /^T [\s\S]*to: string/);
  await assert.rejects(isobox.describe('mail.sent'), { code: 'NOT_FOUND' });
});

test('the policy, the limits and the region of the options apply', async () => {
  const isobox = new Isobox({
    tools: { pay: tool({ execute: () => 'paid' }) },
    policy: [{ tools: 'pay', deny: true }],
    limits: { calls: 1, timeout: 5000 },
    locale: 'de-DE',
    timeZone: 'Europe/Berlin',
  });
  assert.equal((await isobox.run('return await tools.pay()', { checks: 'off' })).error.code, 'FORBIDDEN');
  assert.equal(unwrap(await isobox.run('return (1234.5).toLocaleString()')), '1.234,5');
  const raised = await isobox.run('return 1', { limits: { calls: 2 } });
  assert.equal(raised.error.code, 'CONFIG');
});

test('approve decides, and its errors and odd answers approve nothing', async () => {
  const errors = [];
  const answers = ['approved', 'denied', { approved: false, reason: 'too much' }, undefined, 'yes', new Error('down')];
  const isobox = new Isobox({
    tools: { pay: tool({ needsApproval: true, execute: () => 'paid' }) },
    approve: ({ path, input }) => {
      assert.deepEqual([path, input], ['pay', { amount: 1 }]);
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer;
    },
    onError: (error, where) => errors.push([where.in, error.message]),
  });
  const codes = [];
  while (answers.length > 0) {
    const outcome = await isobox.run('return await tools.pay({ amount: 1 })');
    codes.push(outcome.status === 'completed' ? outcome.result : outcome.error.code);
  }
  assert.deepEqual(codes, ['paid', 'APPROVAL_DENIED', 'APPROVAL_DENIED', 'APPROVAL_REQUIRED', 'APPROVAL_REQUIRED', 'APPROVAL_REQUIRED']);
  assert.deepEqual(errors.map(([where]) => where), ['approve', 'approve']);
});

test('a function selects the calls that need approval, and one that fails selects all', async () => {
  const isobox = new Isobox({
    tools: {
      pay: tool({ needsApproval: async ({ amount }) => { if (amount < 0) throw new Error('odd'); return amount > 10; }, execute: ({ amount }) => amount }),
    },
  });
  assert.equal(unwrap(await isobox.run('return await tools.pay({ amount: 5 })')), 5);
  for (const amount of [50, -1]) {
    assert.equal((await isobox.run(`return await tools.pay({ amount: ${amount} })`)).error.code, 'APPROVAL_REQUIRED');
  }
});

test('an interrupt cannot wait without a store', async () => {
  const isobox = new Isobox({ tools: { login: tool({ execute: () => interrupt({ kind: 'login' }) }) } });
  assert.equal((await isobox.run('return await tools.login()')).error.code, 'TOOL');
});

test('a plan lists calls, and makes only those that read', async () => {
  const made = [];
  const isobox = new Isobox({
    tools: { list: tool({ readOnly: true, execute: () => { made.push('list'); return ['a']; } }), remove: tool({ needsApproval: true, execute: () => { made.push('remove'); } }) },
  });
  const plan = await isobox.plan('for (const name of await tools.list()) await tools.remove({ name }); return 1');
  assert.deepEqual(plan.calls.map(({ path, input, done, certain }) => [path, input, done, certain]), [['list', {}, 'made', true], ['remove', { name: 'a' }, 'held', true]]);
  assert.match(plan.calls[1].approval, /approval/);
  assert.deepEqual([plan.status, plan.result, made], ['planned', 1, ['list']]);
});

test('programs are checked before they run, unless the host wants otherwise', async () => {
  const program = 'return await tools.nope()';
  const outcome = await new Isobox().run(program);
  assert.equal(outcome.error.code, 'CHECK');
  assert.throws(() => unwrap(outcome), CheckError);
  assert.equal((await new Isobox({ checks: 'off' }).run(program)).error.code, 'UNKNOWN_TOOL');
});

test('facts are in the outcome, also of a program that fails', async () => {
  const outcome = await new Isobox().run('codemode.fact("rows", 3); throw new Error("later")');
  assert.deepEqual([outcome.status, outcome.facts], ['failed', { rows: 3 }]);
});

test('programs of a session share their globals', async () => {
  const isobox = new Isobox();
  const cell = (program) => isobox.run(program, { session: 'notebook', globals: true });
  assert.equal(unwrap(await cell('globalThis.rows = [1, 2, 3]; return rows.length')), 3);
  assert.equal(unwrap(await cell('return rows[1]')), 2);
});

test('the capacity can be read, set and reset', async () => {
  const isobox = new Isobox();
  const before = await isobox.capacity();
  const set = await isobox.capacity({ live: 2 });
  assert.equal(set.limits.live, 2);
  assert.equal((await isobox.capacity({})).limits.live, before.limits.live);
});

test('close stops what runs and refuses what comes', async () => {
  let isCalled = false;
  const isobox = new Isobox({ tools: { wait: tool({ execute: () => { isCalled = true; return new Promise(() => {}); } }) } });
  const running = isobox.run('return await tools.wait()');
  while (!isCalled) await new Promise((resolve) => setTimeout(resolve, 5));
  const rejected = assert.rejects(running, { code: 'ABORTED' });
  await isobox.close();
  await rejected;
  await assert.rejects(isobox.run('return 1'), { code: 'ABORTED' });
  await isobox.close();
});

test('a runtime can be disposed of', async () => {
  const isobox = new Isobox();
  await isobox[Symbol.asyncDispose]();
  await assert.rejects(isobox.run('return 1'), { code: 'ABORTED' });
});

test('rules over the syntax, modules of the host and bounds of checks apply', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'isobox-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'text.ts'), 'export const shout = (text: string): string => text.toUpperCase()');
  const isobox = new Isobox({
    rules: [{ deny: 'syntax', names: ['while'], message: 'use the methods of arrays' }],
    modules: {
      csv: { source: "export const parse = (text: string) => text.split(',')", types: 'export function parse(text: string): string[]' },
      rates: { value: { eur: 2 } },
      text: join(folder, 'text.ts'),
    },
  });
  const denied = await isobox.run('while (true) {}');
  assert.deepEqual([denied.error.code, denied.error.message], ['CHECK', '`while` is not allowed here: use the methods of arrays']);
  const program = "import { parse } from 'csv'; import rates from 'rates'; import { shout } from 'text'; export default parse('a,b').map(shout).join(String(rates.eur))";
  assert.equal(unwrap(await isobox.run(program)), 'A2B');
  for (const text of [await isobox.briefing(), await isobox.types()]) assert.match(text, /csv[\s\S]*parse\(text: string\)/);
});

test('a program is checked without running it', async () => {
  const isobox = new Isobox({ tools: { mail: { send: tool({ execute: () => assert.fail('it is never called') }) } } });
  const found = await isobox.check('if (Math.random() > 2) await tools.mail.sent();\nawait tools.male.send()');
  assert.deepEqual(found.map(({ code, line, certain }) => [code, line, certain]), [['UNKNOWN_TOOL', 1, false], ['UNKNOWN_TOOL', 2, true]]);
  assert.deepEqual(await isobox.check('await tools.mail.send()'), []);
  await assert.rejects(isobox.check('return ('), { code: 'SYNTAX' });
});

test('a run that chooses a locale keeps the time zone of the runtime', async () => {
  const isobox = new Isobox({ timeZone: 'Asia/Tokyo' });
  assert.deepEqual(unwrap(await isobox.run('return [(1234.5).toLocaleString(), new Date(0).getHours()]', { locale: 'de-DE' })), ['1.234,5', 9]);
});
