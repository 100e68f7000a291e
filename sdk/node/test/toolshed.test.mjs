// `isobox/toolshed`: what the documents of Toolshed's kernel promise. The original is not on the registry.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { z } from 'zod';

import { Isobox, StoreError, ToolError } from 'isobox';
import { ElicitationEngine, RuntimeLocal, RuntimeVercel, buildProxy, createRuntime } from 'isobox/toolshed';

const TOOLS = [
  { path: 'github.issues.list', name: 'List Issues', description: 'List the issues of a repository.', inputSchema: z.object({ repo: z.string() }) },
  { path: 'github.issues.create', name: 'Create Issue', description: 'Create a new issue.', destructive: true, inputSchema: { type: 'object' } },
  { path: 'github.repos.search', name: 'Search Repositories', description: 'Search repositories.' },
  { path: 'slack.channels.list', name: 'List Channels', description: 'List channels.' },
  { path: 'slack.messages.send', name: 'Send Message', description: 'Send a message.', destructive: true },
];

/** Returns a runtime, and the calls that reach `invoke`. */
function start(t, options = {}) {
  const made = [];
  const invoke = async (path, args) => {
    made.push({ path, args });
    return { path, ...args };
  };
  const runtime = createRuntime({ tools: TOOLS, invoke, runtime: 'local', ...options });
  t.after(() => runtime.dispose());
  return { runtime, made };
}

test('a script returns its value, its calls and its console', async (t) => {
  const { runtime, made } = start(t);
  const result = await runtime.execute('const issues: any = await tools.github.issues.list({ repo: "a" }); console.info("got", issues); console.error("e"); return { issues };');
  assert.deepEqual(result, {
    success: true,
    value: { issues: { path: 'github.issues.list', repo: 'a' } },
    calls: [{ path: 'github.issues.list', args: { repo: 'a' } }],
    logs: [{ level: 'info', message: 'got {"path":"github.issues.list","repo":"a"}' }, { level: 'error', message: 'e' }],
  });
  assert.deepEqual(made, result.calls);
  assert.deepEqual(await runtime.execute('const a = 1'), { success: true, value: null, calls: [] });
});

test('a script that fails has an error, and the calls and logs until then', async (t) => {
  const failing = start(t, { invoke: () => { throw new Error('the service is down'); } });
  for (const [script, error] of [
    ['throw new TypeError("bad")', 'bad'],
    ['return ]', 'unexpected `]`'],
    ['await tools.github.issues.list({ repo: "a" })', 'the service is down'],
    ['await tools.nope.x({})', 'unknown tool: `nope.x`'],
    ['await tools.github.issues.list("a")', 'tools.github.issues.list: the arguments are "a"; expected an object'],
  ]) {
    const result = await failing.runtime.execute(`console.log(1); ${script}`);
    assert.equal(result.success, false);
    assert(result.error.includes(error), result.error);
    assert(!('value' in result));
  }
  const { runtime } = start(t);
  const { success, calls, logs } = await runtime.execute('await tools.slack.channels.list({}); console.log("x"); throw 1');
  assert.deepEqual([success, calls, logs], [false, [{ path: 'slack.channels.list', args: {} }], [{ level: 'log', message: 'x' }]]);
});

test('tools are filtered by role', async (t) => {
  const paths = (...patterns) => start(t, { role: { id: 'r', name: 'R', patterns } }).runtime.availableTools();
  assert.deepEqual(paths('github.issues.*'), ['github.issues.list', 'github.issues.create']);
  assert.deepEqual(paths('github.**'), ['github.issues.list', 'github.issues.create', 'github.repos.search']);
  assert.deepEqual(paths('*.*.list', 'slack.messages.send'), ['github.issues.list', 'slack.channels.list', 'slack.messages.send']);
  assert.deepEqual(paths('**.list'), ['github.issues.list', 'slack.channels.list']);
  assert.deepEqual(paths('*'), TOOLS.map(({ path }) => path));
  assert.deepEqual([paths('github.*'), paths('github'), paths('github.issues.list.**'), paths()], [[], [], ['github.issues.list'], []]);
  assert.deepEqual(start(t).runtime.availableTools(), TOOLS.map(({ path }) => path));
  const { runtime, made } = start(t, { role: { id: 'viewer', patterns: ['*.*.list'] } });
  const refused = await runtime.execute('return await tools.slack.messages.send({})');
  assert.deepEqual([refused.success, made], [false, []]);
  assert.match(refused.error, /unknown tool: `slack\.messages\.send`/);
});

test('a script finds and describes the tools of its role, and cannot enumerate them', async (t) => {
  const role = { id: 'dev', patterns: ['github.**'] };
  const { runtime } = start(t, { role });
  const { value } = await runtime.execute(`
    const found = await tools.search({ query: "create an issue", limit: 1 });
    const described = await tools.describe.tool({ path: "github.issues.list" });
    return { found: found.map((tool) => tool.path), described, keys: Object.keys(tools), names: Object.getOwnPropertyNames(tools), has: "github" in tools, slack: (await tools.search({ query: "slack message" })).map((tool) => tool.path) };`);
  assert.deepEqual(value.found, ['github.issues.create']);
  assert.equal(value.described.inputSchema.properties.repo.type, 'string');
  assert.equal(value.described.name, 'List Issues');
  assert.deepEqual([value.keys, value.names, value.has], [[], [], false]);
  assert(value.slack.every((path) => path.startsWith('github.')));
  const own = start(t, {
    role,
    searchTools: async (query, limit) => [{ path: 'slack.messages.send' }, { path: 'github.issues.list', query, limit }, { path: 'github.repos.search' }],
    describeTools: (path) => ({ path, mine: true }),
  }).runtime;
  const { value: asked } = await own.execute('return [await tools.search({ query: "q" }), await tools.search({ query: "q", limit: 1 }), await tools.describe.tool({ path: "github.issues.list" })]');
  assert.deepEqual(asked, [
    [{ path: 'github.issues.list', query: 'q', limit: 10 }, { path: 'github.repos.search' }],
    [{ path: 'github.issues.list', query: 'q', limit: 1 }],
    { path: 'github.issues.list', mine: true },
  ]);
  for (const [call, error] of [['search({})', '`query` is undefined'], ['search({ query: "a", limit: 0 })', '`limit` is 0'], ['describe.tool({ path: "slack.messages.send" })', 'Tool not found'], ['describe.tool({})', '`path` is undefined']]) {
    const result = await own.execute(`return await tools.${call}`);
    assert(result.error?.includes(error), JSON.stringify(result));
  }
});

test('a destructive tool pauses the script, and the engine lets it go on', async (t) => {
  const asked = [];
  const engine = new ElicitationEngine({ onPause: (elicitation) => asked.push(elicitation) });
  const { runtime, made } = start(t, { elicitation: engine });
  const script = 'const one = await tools.slack.channels.list({}); console.log("before"); const made = await tools.github.issues.create({ title: "Fix" }); return [one, made];';
  const paused = await runtime.execute(script);
  const { executionId } = paused.paused;
  assert.deepEqual(paused, {
    success: true,
    calls: [{ path: 'slack.channels.list', args: {} }],
    logs: [{ level: 'log', message: 'before' }],
    paused: { executionId, toolPath: 'github.issues.create', message: 'Run Create Issue? Create a new issue.', args: { title: 'Fix' } },
  });
  assert.equal(made.length, 1);
  assert.deepEqual(asked, [engine.getPending(executionId)]);
  assert.deepEqual(engine.getAllPending(), asked);
  assert.equal(engine.hasPending(), true);
  assert.deepEqual(await runtime.result(executionId), paused);

  assert.equal(engine.resolve(executionId, true), true);
  const { success, value, calls } = await runtime.result(executionId);
  assert.deepEqual([success, value[1], calls.length], [true, { path: 'github.issues.create', title: 'Fix' }, 2]);
  assert.deepEqual(made.map(({ path }) => path), ['slack.channels.list', 'github.issues.create']);
  assert.deepEqual([engine.resolve(executionId, true), engine.hasPending(), engine.getPending(executionId)], [false, false, undefined]);
  assert.equal((await runtime.result(executionId)).success, true);
  assert.match((await runtime.result('exec_nothing')).error, /No script|exec_nothing/);
});

test('a denied call fails in the script, and the tool is not called', async (t) => {
  const engine = new ElicitationEngine();
  const { runtime, made } = start(t, { elicitation: engine });
  const script = 'return await tools.github.issues.create({})';
  const { paused } = await runtime.execute(script);
  engine.resolve(paused.executionId, false);
  const { success, error, calls } = await runtime.result(paused.executionId);
  assert.deepEqual([success, error, calls, made], [false, 'a person denied the call of `github.issues.create`', [], []]);
  const caught = await runtime.execute(`try { ${script} } catch (error) { return error.code }`);
  engine.resolve(caught.paused.executionId, false);
  assert.equal((await runtime.result(caught.paused.executionId)).value, 'APPROVAL_DENIED');
});

test('calls at the same time are asked about one by one', async (t) => {
  const engine = new ElicitationEngine();
  const { runtime, made } = start(t, { elicitation: engine });
  const { paused } = await runtime.execute('return await Promise.allSettled([tools.github.issues.create({ n: 1 }), tools.slack.messages.send({ n: 2 })])');
  assert.equal(paused.toolPath, 'github.issues.create');
  engine.resolve(paused.executionId, true);
  const second = await runtime.result(paused.executionId);
  assert.equal(second.paused.toolPath, 'slack.messages.send');
  engine.resolve(paused.executionId, false);
  const { value } = await runtime.result(paused.executionId);
  assert.deepEqual([value.map(({ status }) => status), made.length], [['fulfilled', 'rejected'], 1]);
});

test('a tool that the session has approved is not asked about', async (t) => {
  const engine = new ElicitationEngine();
  const { runtime } = start(t, { elicitation: engine });
  engine.addSessionApproval('github.issues.create');
  assert.equal(engine.isSessionApproved('github.issues.create'), true);
  assert.equal((await runtime.execute('return await tools.github.issues.create({ a: 1 })')).value.a, 1);
  engine.clearSessionApprovals();
  assert.equal(engine.isSessionApproved('github.issues.create'), false);
  assert('paused' in (await runtime.execute('return await tools.github.issues.create({ a: 1 })')));
});

test('an answer that comes within onPause needs no pause', async (t) => {
  const engine = new ElicitationEngine({
    onPause: ({ executionId, toolPath }) => {
      engine.resolve(executionId, toolPath === 'github.issues.create');
      throw new Error('a hook that fails changes nothing');
    },
  });
  const { runtime } = start(t, { elicitation: engine });
  assert.equal((await runtime.execute('return (await tools.github.issues.create({ n: 3 })).n')).value, 3);
  assert.equal((await runtime.execute('return await tools.slack.messages.send({})')).success, false);
  const rejecting = new ElicitationEngine({ onPause: async ({ executionId }) => { rejecting.resolve(executionId, true); throw new Error('so does one that rejects'); } });
  assert.equal((await start(t, { elicitation: rejecting }).runtime.execute('return (await tools.slack.messages.send({ n: 4 })).n')).value, 4);
});

test('an invoker asks for data, and gets it when it runs again', async (t) => {
  const engine = new ElicitationEngine();
  const attempts = [];
  const { runtime } = start(t, {
    elicitation: engine,
    invoke: async (path, args, context) => {
      await engine.gate(TOOLS[1], args);
      await context.elicit({ toolPath: path, message: 'The gate has asked this.' });
      const who = await context.elicit({ toolPath: path, message: 'For whom?', type: 'form' });
      const why = await context.elicit({ toolPath: 'why', message: 'Why?', args: { who: who.data?.name } });
      attempts.push([path, context.executionId, context.idempotencyKey, context.signal.aborted]);
      return [who.data, why.approved];
    },
  });
  const { paused } = await runtime.execute('return await tools.github.issues.create({})');
  const { executionId } = paused;
  engine.resolve(executionId, true);
  assert.equal((await runtime.result(executionId)).paused.message, 'For whom?');
  assert.equal(engine.getPending(executionId).type, 'form');
  engine.resolve(executionId, true, { name: 'ada' });
  assert.deepEqual((await runtime.result(executionId)).paused.args, { who: 'ada' });
  engine.resolve(executionId, false);
  assert.deepEqual((await runtime.result(executionId)).value, [{ name: 'ada' }, false]);
  assert.deepEqual(attempts, [['github.issues.create', executionId, `${executionId}:0`, false]]);
});

test('a paused script survives its process: another one asks again, and no call is made twice', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'isobox-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const store = `sqlite:${join(folder, 'toolshed.db')}`;
  const role = { id: 'dev', patterns: ['**'] };
  const first = start(t, { elicitation: new ElicitationEngine(), store, role });
  const { paused } = await first.runtime.execute('await tools.slack.channels.list({}); return await tools.github.issues.create({ n: 1 })');
  await first.runtime.dispose();
  assert.equal((await first.runtime.execute('return 1')).error, 'Runtime has been disposed');

  const asked = [];
  const engine = new ElicitationEngine({ onPause: ({ executionId }) => asked.push(executionId) });
  const other = start(t, { elicitation: engine, store, role: { id: 'other', patterns: ['**'] } });
  assert.deepEqual([await other.runtime.restore(), engine.hasPending()], [[], false]);
  const second = start(t, { elicitation: engine, store, role });
  assert.deepEqual([await second.runtime.restore(), asked], [[paused.executionId], [paused.executionId]]);
  assert.deepEqual(await second.runtime.restore(), []);
  engine.resolve(paused.executionId, true);
  const { value } = await second.runtime.result(paused.executionId);
  assert.deepEqual([value.n, first.made.length, second.made], [1, 1, [{ path: 'github.issues.create', args: { n: 1 } }]]);
});

test('a paused script survives a process that is killed', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'isobox-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const store = `sqlite:${join(folder, 'toolshed.db')}`;
  const program = `import { ElicitationEngine, createRuntime } from 'isobox/toolshed';
    const tools = ${JSON.stringify(TOOLS)};
    const runtime = createRuntime({ tools, invoke: async () => 'first', elicitation: new ElicitationEngine(), store: ${JSON.stringify(store)} });
    const { paused } = await runtime.execute('return [await tools.slack.channels.list({}), await tools.github.issues.create({})]');
    console.log(paused.executionId);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { cwd: fileURLToPath(new URL('..', import.meta.url)), stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'close');
  const engine = new ElicitationEngine();
  const { runtime, made } = start(t, { elicitation: engine, store });
  const executionId = String(line).trim();
  assert.deepEqual(await runtime.restore(), [executionId]);
  engine.resolve(executionId, true);
  const { value } = await runtime.result(executionId);
  assert.deepEqual([value, made.length], [['first', { path: 'github.issues.create' }], 1]);
});

test('a call of which it is not known whether it happened is a question', async (t) => {
  const engine = new ElicitationEngine();
  let attempts = 0;
  const { runtime } = start(t, {
    elicitation: engine,
    invoke: async () => {
      if (attempts++ === 0) throw new ToolError('the connection broke', { inDoubt: true });
      return attempts;
    },
  });
  const { paused } = await runtime.execute('return await tools.slack.channels.list({ n: 1 })');
  assert.deepEqual([paused.toolPath, paused.message, paused.args], ['slack.channels.list', 'It is not known whether slack.channels.list has run. Run it again?', { n: 1 }]);
  // It may still happen, so that nothing runs again for a while: the question stays.
  engine.resolve(paused.executionId, true);
  assert.match((await runtime.result(paused.executionId)).error, /may still take effect/);
  assert.deepEqual((await runtime.result(paused.executionId)).paused, paused);
  engine.resolve(paused.executionId, false);
  const { success, error } = await runtime.result(paused.executionId);
  assert.deepEqual([success, attempts], [false, 1]);
  assert.match(error, /a person decided not to run it again/);
});

test('a script that has not ended is reported with its ID and how to continue it', async (t) => {
  const executionId = `exec_${'1'.repeat(44)}`;
  const error = { code: 'STORE', name: 'StoreError', message: 'the disk is full', hint: 'do not run the program again, resume the execution' };
  const interrupted = { status: 'interrupted', executionId, error, logs: [], calls: [], durationMs: 1 };
  const executions = Object.getPrototypeOf(new Isobox().executions);
  const { runtime } = start(t);
  const told = [];
  const run = t.mock.method(Isobox.prototype, 'run', async () => interrupted);
  told.push(await runtime.execute('return 1'));
  run.mock.restore();
  for (const get of [async () => ({ outcome: null }), async () => ({ outcome: interrupted }), async () => { throw new StoreError(error); }]) {
    const got = t.mock.method(executions, 'get', get);
    told.push(await runtime.result(executionId));
    got.mock.restore();
  }
  for (const result of told) {
    assert.deepEqual([result.success, result.executionId, result.calls], [false, executionId, []]);
    for (const part of [executionId, 'do not run the program again', 'call `restore()`']) assert(result.error.includes(part), result.error);
  }
  assert.equal(told.filter((result) => result.error.startsWith('the disk is full')).length, 3);
});

test('an engine works without a runtime: gate waits for its answer', async () => {
  const engine = new ElicitationEngine();
  const [safe, destructive] = TOOLS;
  assert.equal(await engine.gate(safe, {}), undefined);
  const gated = engine.gate(destructive, { a: 1 });
  const [{ executionId, args, toolPath }] = engine.getAllPending();
  assert.deepEqual([args, toolPath], [{ a: 1 }, 'github.issues.create']);
  assert.equal(engine.resolve(executionId, true, { note: 'x' }), true);
  assert.deepEqual(await gated, { executionId, approved: true, data: { note: 'x' } });
  const denied = engine.gate(destructive, {});
  engine.resolve(engine.getAllPending()[0].executionId, false);
  await assert.rejects(denied, /Tool "github\.issues\.create" was denied/);
  assert.equal(engine.resolve('nothing', true), false);
});

test('a question that is never answered counts as denied after its time', async (t) => {
  const engine = new ElicitationEngine({ timeoutMs: 30 });
  const alive = setInterval(() => {}, 1000);
  t.after(() => clearInterval(alive));
  await assert.rejects(engine.gate(TOOLS[1], {}), /was denied/);
  const { runtime } = start(t, { elicitation: engine });
  const { paused } = await runtime.execute('return await tools.github.issues.create({})');
  while (engine.hasPending()) await sleep(5);
  assert.equal((await runtime.result(paused.executionId)).success, false);
});

test('without an engine destructive tools are called like all others', async (t) => {
  const { runtime } = start(t);
  assert.equal((await runtime.execute('return (await tools.github.issues.create({ n: 1 })).n')).value, 1);
});

test('a script that takes too long is stopped, and its call is aborted', async (t) => {
  let signal;
  const { runtime } = start(t, { timeoutMs: 100, invoke: (_, __, context) => ((signal = context.signal), new Promise(() => {})) });
  assert.match((await runtime.execute('while (true) {}')).error, /100ms/);
  assert.match((await runtime.execute('return await tools.slack.channels.list({})')).error, /100ms/);
  assert.equal(signal.aborted, true);
});

test('RuntimeLocal and RuntimeVercel take their configurations', async () => {
  const invoke = async () => 1;
  const local = new RuntimeLocal({ tools: TOOLS, invoke });
  const vercel = new RuntimeVercel({ tools: TOOLS, invoke, teamId: 't', projectId: 'p', token: 'x', snapshotId: 's', timeoutMs: 1000, vcpus: 2, networkPolicy: { allow: [] } });
  for (const runtime of [local, vercel, createRuntime({ tools: TOOLS, invoke, runtime: 'vercel' })]) {
    assert.equal((await runtime.execute('return await tools.slack.channels.list({})')).value, 1);
    await runtime.dispose();
  }
});

test('dispose ends what runs', async () => {
  const runtime = createRuntime({ tools: TOOLS, invoke: () => new Promise(() => {}) });
  const running = runtime.execute('return await tools.slack.channels.list({})');
  await sleep(20);
  await runtime.dispose();
  assert.deepEqual(await running, { success: false, error: 'the runtime was closed', calls: [] });
  await runtime.dispose();
});

test('the proxy turns a chain of properties into the path of a tool', async () => {
  const calls = [];
  const tools = buildProxy(TOOLS, (path, args) => (calls.push([path, args]), 'done'));
  assert.equal(await tools.github.issues.list({ repo: 'a' }), 'done');
  assert.equal(await tools.github.issues.list(), 'done');
  assert.deepEqual(calls, [['github.issues.list', { repo: 'a' }], ['github.issues.list', {}]]);
  assert.deepEqual((await tools.search({ query: 'create issue', limit: 1 })).map(({ path }) => path), ['github.issues.create']);
  assert.equal((await tools.describe.tool({ path: 'github.issues.list' })).inputSchema.type, 'object');
  await assert.rejects(tools.github.issues.nope({}), /Tool not found: github\.issues\.nope/);
  await assert.rejects(tools.github.issues.list('a'), /the arguments are "a"; expected an object/);
  assert.deepEqual([Object.keys(tools), Reflect.ownKeys(tools.github), 'github' in tools, { ...tools }], [[], [], false, {}]);
  for (const name in tools) assert.fail(name);
  assert.throws(() => { 'use strict'; tools.github = 1; }, TypeError);
  assert.equal(await (async () => tools.github)().then((value) => typeof value), 'function');
  const own = buildProxy(TOOLS, () => 1, () => [{ path: 'slack.channels.list' }, { path: 'secret' }], () => 'described');
  assert.deepEqual([await own.search({ query: 'x' }), await own.describe.tool({ path: 'slack.channels.list' })], [[{ path: 'slack.channels.list' }], 'described']);
});

test('bad use is a TypeError that names the option, its value and what was expected', async (t) => {
  const invoke = async () => 1;
  const cases = [
    [() => createRuntime(), /options are null; expected an object/],
    [() => createRuntime({ invoke }), /`tools` is undefined; expected an array/],
    [() => createRuntime({ tools: TOOLS }), /`invoke` is undefined; expected a function/],
    [() => createRuntime({ tools: [{ path: 'a b' }], invoke }), /`tools\[0\]\.path` is "a b"; expected names separated by dots/],
    [() => createRuntime({ tools: [{}], invoke }), /`tools\[0\]\.path` is undefined/],
    [() => createRuntime({ tools: [{ path: 'search' }], invoke }), /`tools\[0\]\.path` is "search"/],
    [() => createRuntime({ tools: [{ path: 'a' }, { path: 'a' }], invoke }), /`tools\[1\]\.path` is "a"; expected a path that no other tool has/],
    [() => createRuntime({ tools: TOOLS, invoke, role: { id: 'x' } }), /`role\.patterns` is undefined; expected an array of strings/],
    [() => createRuntime({ tools: TOOLS, invoke, runtime: 'docker' }), /`runtime` is "docker"; expected "local" or "vercel"/],
    [() => createRuntime({ tools: TOOLS, invoke, elicitation: {} }), /`elicitation` is \{\}; expected an ElicitationEngine/],
    [() => createRuntime({ tools: TOOLS, invoke, timeoutMs: 0 }), /`timeoutMs` is 0; expected a whole number of at least 1/],
    [() => createRuntime({ tools: TOOLS, invoke, searchTool: invoke }), /no option `searchTool`.*did you mean `searchTools`/],
    [() => new ElicitationEngine({ onPause: 7 }), /`onPause` is 7; expected a function/],
    [() => new ElicitationEngine({ timeoutMs: 2 ** 31 }), /`timeoutMs` is 2147483648; expected at most/],
    [() => new ElicitationEngine().resolve('x', 'yes'), /`approved` is "yes"; expected a boolean/],
    [() => new ElicitationEngine().resolve('x', true, 7), /`data` is 7; expected an object/],
    [() => new ElicitationEngine().addSessionApproval(''), /`toolPath` is ""; expected a string that is not empty/],
    [() => buildProxy({}, invoke), /`tools` is \{\}; expected an array/],
    [() => buildProxy(TOOLS), /`invoke` is undefined; expected a function/],
    [() => buildProxy(TOOLS, invoke, 7), /`searchTools` is 7; expected a function/],
  ];
  for (const [use, message] of cases) assert.throws(use, (error) => error instanceof TypeError && message.test(error.message), String(message));
  await assert.rejects(new ElicitationEngine().gate(undefined), TypeError);
  const { runtime } = start(t);
  await assert.rejects(runtime.execute(7), /`script` is 7; expected a string/);
  const asks = start(t, { invoke: (_, __, context) => context.elicit({ toolPath: 'a', message: 'm' }) }).runtime;
  assert.match((await asks.execute('return await tools.slack.channels.list({})')).error, /`elicitation` of the runtime is undefined/);
});
