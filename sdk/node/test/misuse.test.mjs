// Bad use: a TypeError that names the option, its value and what was expected.
import assert from 'node:assert/strict';
import test from 'node:test';

import { ConfigError, Isobox, tool } from 'isobox';

function names(option, value, ...words) {
  return (error) => {
    assert(error instanceof TypeError, String(error));
    for (const word of [option, value, ...words]) assert(error.message.includes(word), `${word} is not in: ${error.message}`);
    return true;
  };
}

test('options of the runtime are checked', () => {
  const create = (options) => () => new Isobox(options);
  assert.throws(create(7), names('options', '7', 'an object'));
  assert.throws(create({ tolls: {} }), names('`tolls`', '{}', 'did you mean `tools`?'));
  assert.throws(create({ tools: [] }), names('`tools`', '[]', 'an object'));
  assert.throws(create({ tools: { a: 7 } }), names('tools`.a', '7', 'an object of tools'));
  assert.throws(create({ tools: { a: { b: null } } }), names('tools`.a.b', 'null', 'expected'));
  assert.throws(create({ policy: 'no' }), names('`policy`', '"no"', 'an array'));
  assert.throws(create({ config: 7 }), names('`config`', '7', 'a path'));
  assert.throws(create({ store: 7 }), names('`store`', '7', 'sqlite:'));
  assert.throws(create({ limits: { timeout: -1 } }), names('`timeout`', '-1', 'milliseconds'));
  assert.throws(create({ limits: { timout: 1 } }), names('`timout`', '1', 'did you mean `timeout`?'));
  assert.throws(create({ approve: true }), names('`approve`', 'true', 'a function'));
  assert.throws(create({ maxLive: 0 }), names('`maxLive`', '0', 'at least 1'));
  assert.throws(create({ checks: 'some' }), names('`checks`', '"some"', "'off', 'warnings' or 'errors'"));
  assert.throws(create({ ownDecisions: true }), names('`ownDecisions`', 'true', "'allow' or 'deny'"));
  assert.throws(create({ rules: {} }), names('`rules`', '{}', 'an array'));
  assert.throws(create({ modules: { csv: 7 } }), names('`modules`.csv', '7', '{ source }'));
  assert.throws(create({ modules: { csv: { source: 7 } } }), names('`modules`.csv', '`source`', '7', 'a string'));
  assert.throws(create({ modules: { csv: { source: '', value: 1 } } }), names('`modules`.csv', '{ source }'));
  assert.throws(create({ validation: { outputs: 'no' } }), names('`outputs`', '"no"', "'enforce'"));
  assert.throws(create({ snippets: { trust: 1 } }), names('`trust`', '1', 'did you mean `trusted`?'));
  assert.throws(create({ sessions: { whenFull: 'drop' } }), names('`whenFull`', '"drop"', "'forget' or 'refuse'"));
  assert.throws(create({ limits: { unsettled: 'wait' } }), names('`unsettled`', '"wait"', "'cancel' or 'fail'"));
  const itself = {};
  itself.a = itself;
  assert.throws(create({ tools: itself }), names('tools`.a', 'contains itself'));
});

test('the configuration is checked by Isobox itself', () => {
  assert.throws(() => new Isobox({ config: { polcy: [] } }), (error) => error instanceof ConfigError && /polcy/.test(error.message));
  assert.throws(() => new Isobox({ config: '/nowhere/isobox.json' }), { code: 'CONFIG' });
  assert.throws(() => new Isobox({ tools: { 'no name': tool({ execute: () => 1 }) } }), { code: 'CONFIG' });
  assert.throws(() => new Isobox({ tools: { a: tool({ inputSchema: { type: 7 }, execute: () => 1 }) } }), { code: 'CONFIG' });
  assert.throws(() => new Isobox({ limits: { memory: '1 apple' } }), { code: 'CONFIG' });
  assert.throws(() => new Isobox({ continuations: { secret: 'short' } }), { code: 'CONFIG' });
});

test('definitions of tools are checked', () => {
  assert.throws(() => tool(null), names('options', 'null', '`execute`'));
  assert.throws(() => tool({ execute: 7 }), names('`execute`', '7', 'a function'));
  assert.throws(() => tool({ execute: () => 1, parameters: {} }), names('`parameters`', 'inputSchema'));
  const create = (options) => () => new Isobox({ tools: { a: tool({ execute: () => 1, ...options }) } });
  assert.throws(create({ inputSchema: 'string' }), names('tools`.a.inputSchema', '"string"', 'Standard Schema'));
  assert.throws(create({ outputSchema: [] }), names('tools`.a.outputSchema', '[]', 'Standard Schema'));
  assert.throws(create({ needsApproval: 'yes' }), names('needsApproval', '"yes"', 'a boolean'));
  assert.throws(create({ revert: 7 }), names('revert', '7', 'a function'));
});

test('what is continued is checked', () => {
  const isobox = new Isobox();
  const paused = { continuation: 'isobox1.AAAA', executionId: `exec_${'0'.repeat(44)}`, revision: 1 };
  assert.throws(() => isobox.continue('isobox1.AAAA', 'approve'), names('`paused`', '"isobox1.AAAA"', 'an object'));
  for (const missing of ['continuation', 'executionId', 'revision']) {
    assert.throws(() => isobox.continue({ ...paused, [missing]: undefined }, 'approve'), names(`\`paused.${missing}\``, 'undefined'));
  }
});

test('options of a run are checked', () => {
  const isobox = new Isobox();
  assert.throws(() => isobox.run(7), names('the program', '7', 'a text'));
  assert.throws(() => isobox.run({ 'a.ts': 7 }), names('the program', 'a.ts', 'texts by path'));
  assert.throws(() => isobox.run({ 'a.ts': '1' }, { entry: 'b.ts' }), names('`entry`', '"b.ts"', 'a.ts'));
  assert.throws(() => isobox.run('1', { timeout: 5 }), names('`timeout`', '5'));
  assert.throws(() => isobox.run('1', { signal: {} }), names('`signal`', '{}', 'an AbortSignal'));
  assert.throws(() => isobox.run('1', { durable: true, stateless: true }), names('`durable`', '`stateless`'));
  assert.throws(() => isobox.run('1', { principal: 7 }), names('`principal`', '7', 'a name'));
  assert.throws(() => isobox.run('1', { id: 'mine' }), names('`id`', '"mine"', 'exec_'));
  assert.throws(() => isobox.run('1', { checks: 'all' }), names('`checks`', '"all"', "'errors'"));
  assert.throws(() => isobox.run('1', { events: 'all' }), names('`events`', '"all"', "'values'"));
  assert.throws(() => isobox.run('1', { globals: 'yes' }), names('`globals`', '"yes"', "'refuse'"));
  assert.throws(() => isobox.run('1', { globals: true }), names('`session`', 'undefined', 'a string'));
  assert.throws(() => isobox.run('1', { details: { input: true } }), names('`details`', '`input`', 'did you mean `inputs`?'));
  assert.throws(() => isobox.run('1', null), names('options', 'null', 'an object'));
  assert.throws(() => isobox.start('1', null), names('options', 'null', 'an object'));
  assert.throws(() => isobox.plan('1', null), names('options', 'null', 'an object'));
  assert.throws(() => isobox.check(7), names('the program', '7', 'a text'));
  assert.throws(() => isobox.search(7), names('`query`', '7', 'a string'));
  assert.throws(() => isobox.executions.get(7), names('`id`', '7', 'a string'));
  assert.throws(() => isobox.executions.prune({}), names('`keep`', 'undefined', 'a whole number'));
});

test('approving without saying what is refused', async () => {
  const isobox = new Isobox({ store: 'memory' });
  await assert.rejects(async () => isobox.executions.approve('exec_1', {}), names('`seq`', '`revision`'));
});

test('options of executions, snippets and sessions are checked', async () => {
  const { executions, snippets, sessions } = new Isobox({ store: 'memory' });
  assert.throws(() => executions.list({ states: ['done'] }), names('`states`', '"done"', 'completed'));
  await assert.rejects(async () => executions.decide('exec_1', [{ seq: '0', verdict: 'yes' }]), names('`verdict`', '"yes"', 'approve'));
  await assert.rejects(async () => executions.approve('exec_1', { seq: '0', remember: true }), names('`remember`', 'true', "'session'"));
  await assert.rejects(async () => executions.schedule(), names('`signal`', 'undefined', 'an AbortSignal'));
  assert.throws(() => executions.replay(7), names('the execution', '7', '{ transcript }'));
  assert.throws(() => executions.fork('exec_1', {}), names('`before`', 'undefined', 'a string'));
  assert.throws(() => executions.fork('exec_1', { before: '0', result: 1, error: 'x' }), names('`result`', '1', '`error`', 'at most one'));
  assert.throws(() => snippets.save('a', {}), names('`from`', 'undefined', 'a string'));
  assert.throws(() => snippets.save('a', { from: 'exec_1', forced: true }), names('`forced`', 'true', 'did you mean `force`?'));
  assert.throws(() => snippets.put('a', 7), names('the program', '7', 'a text'));
  assert.throws(() => snippets.put('a', '1', { examples: [{ input: 1 }] }), names('`examples`', '{ input, result }'));
  assert.throws(() => snippets.put('a', '1', { inputSchema: 'string' }), names('`inputSchema`', '"string"', 'Standard Schema'));
  assert.throws(() => snippets.get(''), names('`name`', '""', 'not empty'));
  assert.throws(() => snippets.run('a', 1, { timeout: 5 }), names('snippets.run', '`timeout`', '5'));
  assert.throws(() => snippets.run('a', 1, { stateless: true }), names('`stateless`', 'true', 'undefined'));
  assert.throws(() => snippets.run('a', 1, null), names('options', 'null', 'an object'));
  assert.throws(() => sessions.rewind('a', 0), names('`version`', '0', 'at least 1'));
  assert.throws(() => sessions.fork('a'), names('`to`', 'undefined', 'a string'));
});
