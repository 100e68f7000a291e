// The process around a runtime: nothing hangs, nothing crashes.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
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
