// The process around a runtime: nothing hangs, nothing crashes.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

import { Isobox, tool, unwrap } from 'isobox';

const FOLDER = fileURLToPath(new URL('..', import.meta.url));

/** Runs a script in a process of its own. Fails if it takes longer than ten seconds. */
function script(source, { onOutput, arguments: given = [] } = {}) {
  const text = `import { Isobox, tool, interrupt } from 'isobox';\n${source}`;
  const child = spawn(process.execPath, [...given, '--input-type=module', '-e', text], { cwd: FOLDER });
  let output = '';
  let errors = '';
  child.stdout.on('data', (data) => {
    output += data;
    onOutput?.(String(data), child);
  });
  child.stderr.on('data', (data) => (errors += data));
  const overdue = setTimeout(() => child.kill('SIGKILL'), 10_000);
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      clearTimeout(overdue);
      resolve({ code, signal, output, errors });
    });
  });
}

test('a process with an idle runtime ends', async () => {
  const ended = await script(`const isobox = new Isobox(); console.log((await isobox.run('return 1')).result)`);
  assert.deepEqual(ended, { code: 0, signal: null, output: '1\n', errors: '' });
});

test('a process waits for a running program', async () => {
  const ended = await script(`const isobox = new Isobox(); isobox.run('await new Promise((r) => setTimeout(r, 200)); return 2').then((o) => console.log(o.result))`);
  assert.deepEqual([ended.code, ended.output], [0, '2\n']);
});

test('a request with a value that is not JSON is refused, and the process ends', async () => {
  const ended = await script(`
    const isobox = new Isobox(); const itself = {}; itself.a = itself;
    await isobox.executions.resolve('exec_' + '0'.repeat(44), '0', itself).catch((error) => console.log(error.name));`);
  assert.deepEqual(ended, { code: 0, signal: null, output: 'TypeError\n', errors: '' });
});

test('process.exit inside a tool ends the process with its status', async () => {
  const ended = await script(`
    const isobox = new Isobox({ tools: { exit: tool({ execute: () => process.exit(7) }), slow: tool({ execute: () => new Promise(() => {}) }) } });
    void isobox.run('while (true) {}');
    void isobox.run('return await tools.slow()');
    await isobox.run('return await tools.exit()');`);
  assert.deepEqual([ended.code, ended.signal], [7, null]);
});

test('an uncaught error ends the process as usual while programs run', async () => {
  const ended = await script(`
    const isobox = new Isobox(); void isobox.run('while (true) {}');
    setTimeout(() => { throw new Error('ouch') }, 50);`);
  assert.equal(ended.code, 1);
  assert.match(ended.errors, /ouch/);
});

test('Ctrl-C ends the process', async () => {
  const ended = await script(`const isobox = new Isobox(); void isobox.run('while (true) {}'); console.log('ready')`, {
    onOutput: (_, child) => setTimeout(() => child.kill('SIGINT'), 50),
  });
  assert.equal(ended.signal, 'SIGINT');
});

/** The durations of leases for tests in which a process dies. */
const TIMING = { leaseMs: 1500, heartbeatMs: 300, marginMs: 300, doubtMs: 0 };

/** Runs a program in a process that dies in its second call, and resumes it here. Returns what the tools did, and the last outcome. */
async function afterDeath(t, death, onOutput) {
  const folder = mkdtempSync(join(tmpdir(), 'isobox-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const options = { store: `sqlite:${join(folder, 'isobox.db')}`, timing: TIMING };
  const ended = await script(
    `const tools = { one: tool({ execute: () => { console.log('one'); return 1; } }), two: tool({ execute: () => { console.log('two'); ${death} } }) };
     const isobox = new Isobox({ tools, ...${JSON.stringify(options)} });
     await isobox.run('const one = await tools.one(); return one + await tools.two()');`,
    { onOutput },
  );
  const calls = [];
  const tools = { one: tool({ execute: () => calls.push('one') }), two: tool({ execute: () => calls.push('two') }) };
  const isobox = new Isobox({ tools, ...options });
  t.after(() => isobox.close());
  const [{ id }] = (await isobox.executions.list()).executions;
  let paused = null;
  for (let i = 0; i < 100 && paused === null; i++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    paused = await isobox.executions.resume(id);
  }
  assert.deepEqual([paused.status, paused.pending.map(({ seq, kind }) => [seq, kind])], ['paused', [['1', 'in-doubt']]]);
  const outcome = await isobox.executions.resolve(id, '1', 41);
  return { ended, calls, outcome };
}

test('process.exit inside a tool loses no durable program: the call is in doubt, and no other is made again', async (t) => {
  const { ended, calls, outcome } = await afterDeath(t, 'process.exit(7)');
  assert.deepEqual([ended.code, ended.output, calls, outcome.result], [7, 'one\ntwo\n', [], 42]);
});

test('Ctrl-C inside a tool loses no durable program', async (t) => {
  const { ended, calls, outcome } = await afterDeath(t, 'return new Promise(() => {})', (text, child) => text.includes('two') && child.kill('SIGINT'));
  assert.deepEqual([ended.signal, calls, outcome.result], ['SIGINT', [], 42]);
});

test('a host that listens to SIGINT closes the runtime and ends', async () => {
  const ended = await script(
    `const isobox = new Isobox({ tools: { never: tool({ execute: () => new Promise(() => {}) }) } });
     process.once('SIGINT', async () => { await isobox.close(); console.log('closed'); });
     isobox.run('while (true) {}').catch((error) => console.log(error.code));
     isobox.run('await tools.never()').catch((error) => console.log(error.code));
     console.log('ready');`,
    { onOutput: (text, child) => text.includes('ready') && setTimeout(() => child.kill('SIGINT'), 50) },
  );
  assert.deepEqual([ended.code, ended.signal, ended.output, ended.errors], [0, null, 'ready\nABORTED\nABORTED\nclosed\n', '']);
});

test('a tool that never settles holds neither the process nor the runtime', async () => {
  const ended = await script(`
    let signal;
    const isobox = new Isobox({ tools: { never: tool({ execute: (_, context) => { signal = context.signal; return new Promise(() => {}); } }) }, limits: { timeout: '300ms' } });
    const outcomes = await Promise.all([isobox.run('return await tools.never()'), isobox.run('return await Promise.race([tools.never(), 2])', { limits: { unsettled: 'cancel' } })]);
    console.log(outcomes.map((outcome) => outcome.error?.code ?? outcome.result).join(' '), signal.aborted);
    console.log((await isobox.run('return 3')).result);`);
  assert.deepEqual([ended.code, ended.output, ended.errors], [0, 'TIMEOUT 2 true\n3\n', '']);
});

test('a hook that rejects or throws changes nothing', async () => {
  const ended = await script(`
    const isobox = new Isobox({
      tools: { pay: tool({ needsApproval: true, execute: () => 1 }), bad: tool({ execute: async () => { throw new Error('x') } }) },
      approve: async () => { throw new Error('rejected hook') },
      onError: () => { throw new Error('failing onError') },
    });
    console.log((await isobox.run('return await tools.pay()')).error.code, (await isobox.run('return await tools.bad()')).error.code);`);
  assert.deepEqual([ended.code, ended.output, ended.errors], [0, 'APPROVAL_REQUIRED TOOL\n', '']);
});

test('onEvent and onError that throw or reject, and errors that cannot be read, change nothing', async () => {
  const ended = await script(`
    const hostile = new Proxy(new Error('x'), { get() { throw new Error('trap') }, getPrototypeOf() { throw new Error('trap') } });
    const isobox = new Isobox({
      store: 'memory',
      tools: { big: tool({ execute: () => 10n }), odd: tool({ execute: () => { throw hostile } }), ask: tool({ execute: () => interrupt(10n) }) },
      onError: async () => { throw new Error('rejected onError') },
    });
    const run = async (code, onEvent) => { const outcome = await isobox.run(code, { onEvent }); return outcome.error?.code ?? outcome.result; };
    console.log(await run('return 1', () => { throw new Error('event') }), await run('return 2', async () => { throw new Error('event') }));
    const execution = isobox.start('return 3', { onEvent: () => { throw new Error('event') } });
    const types = [];
    for await (const { type } of execution) types.push(type);
    console.log(types.join(' '), (await execution.outcome).result);
    for (const name of ['big', 'odd', 'ask']) console.log(await run(\`return await tools.\${name}()\`));
    await new Promise((resolve) => setTimeout(resolve, 50));`);
  assert.deepEqual([ended.code, ended.output, ended.errors], [0, '1 2\nstarted ended 3\nTOOL\nTOOL\nTOOL\n', '']);
});

test('a runtime is collected, also one that was never closed, and programs of a lost one end', async () => {
  const ended = await script(
    `
    let collected = 0;
    const registry = new FinalizationRegistry(() => collected++);
    for (let i = 0; i < 20; i++) {
      const isobox = new Isobox({ tools: { one: tool({ execute: () => i }) } });
      registry.register(isobox, i);
      await isobox.run('return await tools.one()');
    }
    let last = new Isobox({ tools: { late: tool({ execute: () => new Promise((r) => setTimeout(r, 100, 'late')) }) } }).run('return await tools.late()');
    for (let i = 0; i < 20 && collected < 19; i++) { gc(); await new Promise((r) => setTimeout(r, 10)); }
    console.log(collected >= 19, (await last).result);`,
    { arguments: ['--expose-gc'] },
  );
  assert.deepEqual([ended.code, ended.output, ended.errors], [0, 'true late\n', '']);
});

test('worker threads have runtimes of their own, and may be terminated while programs run', async () => {
  const ended = await script(`
    import { Worker } from 'node:worker_threads';
    const source = (last) => \`import('isobox').then(async ({ Isobox, tool }) => {
      const { parentPort } = await import('node:worker_threads');
      const isobox = new Isobox({ tools: { add: tool({ execute: ({ a }) => a + 1 }), never: tool({ execute: () => new Promise(() => {}) }) } });
      parentPort.postMessage((await isobox.run('return await tools.add({ a: 1 })')).result);
      \${last}
    })\`;
    const run = (last, then) => new Promise((resolve) => {
      const worker = new Worker(source(last), { eval: true });
      worker.on('message', (value) => { console.log(value); then?.(worker); });
      worker.on('error', (error) => console.log(String(error)));
      worker.on('exit', resolve);
    });
    await Promise.all([run(''), run('void isobox.run("while (true) {}"); void isobox.run("await tools.never()");', (worker) => setTimeout(() => worker.terminate(), 50)), run('process.exit(0)')]);
    const isobox = new Isobox();
    console.log((await isobox.run('return 3')).result);`);
  assert.deepEqual([ended.code, ended.signal, ended.output, ended.errors], [0, null, '2\n2\n2\n3\n', '']);
});

test('several versions of the package work in one process, also beside WebAssembly of Node', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'isobox-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const other = join(folder, 'node_modules/isobox');
  mkdirSync(other, { recursive: true });
  const addon = readdirSync(FOLDER).find((file) => file.endsWith('.node'));
  for (const file of ['dist', 'native.cjs', 'platform.cjs', addon]) cpSync(join(FOLDER, file), join(other, file), { recursive: true });
  const described = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8'));
  writeFileSync(join(other, 'package.json'), JSON.stringify({ ...described, version: '0.0.1' }));
  const ended = await script(`
    const other = await import(${JSON.stringify(new URL(`file://${other}/dist/index.mjs`).href)});
    console.log(other.Isobox === Isobox, other.tool === tool);
    const make = ({ Isobox, tool }) => new Isobox({ tools: { add: tool({ execute: ({ a }) => a + 1 }) } });
    const [one, two] = [make({ Isobox, tool }), make(other)];
    const bytes = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 127, 3, 2, 1, 0, 5, 3, 1, 0, 1, 7, 5, 1, 1, 102, 0, 0, 10, 9, 1, 7, 0, 65, 127, 40, 2, 0, 11]);
    const { instance } = await WebAssembly.instantiate(bytes);
    const trap = () => { try { instance.exports.f() } catch (error) { return error.name } };
    for (let i = 0; i < 3; i++) {
      const outcomes = await Promise.all([one, two].flatMap((isobox) => [isobox.run('return await tools.add({ a: 1 })'), isobox.run('const f = () => f() + 1; return f()')]));
      console.log(outcomes.map((outcome) => outcome.error?.code ?? outcome.result).join(' '), trap());
    }
    // A tool that another version defined is a tool.
    console.log((await new Isobox({ tools: { far: other.tool({ execute: () => 'far' }) } }).run('return await tools.far()')).result);
    await one.close();
    console.log((await two.run('return 2')).result);`);
  const line = '2 STACK 2 STACK RuntimeError\n';
  assert.deepEqual([ended.code, ended.signal, ended.output, ended.errors], [0, null, `false false\n${line.repeat(3)}far\n2\n`, '']);
});

test('a runtime with live programs that nothing else refers to is not collected before they end', async () => {
  const ended = await script(
    `
    let collected = false;
    const registry = new FinalizationRegistry(() => (collected = true));
    const begin = () => {
      const isobox = new Isobox({ tools: { late: tool({ execute: () => new Promise((r) => setTimeout(r, 200, 'late')) }) } });
      registry.register(isobox.executions, 0);
      const execution = isobox.start('return [await tools.late(), await tools.late()]');
      return execution.outcome;
    };
    let outcome = begin();
    const collecting = setInterval(gc, 10);
    console.log(JSON.stringify((await outcome).result));
    outcome = undefined;
    for (let i = 0; i < 100 && !collected; i++) await new Promise((r) => setTimeout(r, 10));
    clearInterval(collecting);
    console.log(collected);`,
    { arguments: ['--expose-gc'] },
  );
  assert.deepEqual([ended.code, ended.output, ended.errors], [0, '["late","late"]\ntrue\n', '']);
});

test('WebAssembly of Node goes on working beside the sandbox', async () => {
  const isobox = new Isobox();
  assert.equal(unwrap(await isobox.run('return 1')), 1);
  // (func (export "f") (result i32) i32.const -1 i32.load): out of bounds, which V8 finds with a signal.
  const bytes = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 127, 3, 2, 1, 0, 5, 3, 1, 0, 1, 7, 5, 1, 1, 102, 0, 0, 10, 9, 1, 7, 0, 65, 127, 40, 2, 0, 11]);
  const { exports } = await WebAssembly.instantiate(bytes).then(({ instance }) => instance);
  assert.throws(() => exports.f(), WebAssembly.RuntimeError);
  assert.equal((await isobox.run('const f = () => f() + 1; return f()')).error.code, 'STACK');
  assert.throws(() => exports.f(), WebAssembly.RuntimeError);
});

test('a program that computes does not hold the event loop', async () => {
  const isobox = new Isobox();
  await isobox.run('return 1');
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const outcome = await isobox.run('while (true) {}', { limits: { timeout: '600ms' } });
  delay.disable();
  assert.equal(outcome.error.code, 'TIMEOUT');
  // The machine of the tests may be busy: a held loop would be delayed by the whole time.
  assert(delay.max / 1e6 < 300, `${delay.max / 1e6} ms`);
});

test('many programs and calls at once all end', async () => {
  const isobox = new Isobox({ tools: { echo: tool({ execute: async ({ n }) => n }) } });
  const runs = Array.from({ length: 200 }, (_, n) => isobox.run(`return (await Promise.all([tools.echo({ n: ${n} }), tools.echo({ n: 1 })]))[0]`));
  assert.deepEqual((await Promise.all(runs)).map(unwrap), Array.from({ length: 200 }, (_, n) => n));
});

test('waiting for tools and programs takes no processor time', async () => {
  const isobox = new Isobox({ tools: { slow: tool({ execute: () => new Promise((resolve) => setTimeout(resolve, 20)) }) } });
  await isobox.run('return await tools.slow()');
  const before = process.cpuUsage();
  unwrap(await isobox.run('for (let i = 0; i < 50; i++) await tools.slow()'));
  const { user, system } = process.cpuUsage(before);
  // A second of waiting: a thread that goes on looking for answers would take all of it.
  assert(user + system < 600_000, `${user + system} µs`);
});
