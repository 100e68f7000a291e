// `isobox/directive`: what the documents of `@directive-run/sandbox` promise. The original is not on the registry.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import test, { after } from 'node:test';

import { runInSandbox, sanitizeStack, setMaxConcurrentWorkers } from 'isobox/directive';

import { installPackages } from './directive-packages.mjs';

const folder = installPackages();
const before = process.cwd();
process.chdir(folder);
after(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true, force: true });
});

const MODULE = `import { createModule, t } from "@directive-run/core";

export const counter = createModule("counter", {
  schema: { facts: { count: t.number() }, derivations: { doubled: t.number(), broken: t.number() }, events: { bump: {} } },
  init: (facts) => { facts.count = 0; },
  derive: { doubled: (facts) => facts.count * 2, broken: () => { throw new Error("no"); } },
  events: { bump: (facts) => { facts.count += 1; } },
});
`;
const RUNNER = `import { createSystem } from "@directive-run/core";
import { counter } from "./counter.js";

const system = createSystem({ module: counter });
system.start();
console.log("[start] count=", system.facts.count);
system.events.bump({});
system.events.bump({});
await system.settle();
console.log("[settled] count=", system.facts.count);
system.destroy();
`;
const paired = (runner, more) => runInSandbox({ files: [{ path: 'src/counter.ts', source: MODULE }, { path: 'src/main.ts', source: runner }], ...more });
const errorsOf = async (source, more) => (await runInSandbox({ source, ...more })).errors;

test('a library and a runner give logs, facts, no errors, a duration and no time-out', async () => {
  const { durationMs, ...rest } = await paired(RUNNER);
  assert.deepEqual(rest, {
    logs: ['[start] count= 0', '[settled] count= 2'],
    facts: { count: 2 },
    derived: { doubled: 4 },
    errors: [],
    timedOut: false,
  });
  assert(durationMs >= 0);
});

test('one source is src/main.ts', async () => {
  const { logs, facts, errors } = await runInSandbox({ source: 'const x: number = 1; console.log("x =", x, { a: [1] }); console.warn("w"); console.error("e"); export {}' });
  assert.deepEqual([logs, facts, errors], [['x = 1 {"a":[1]}', '[warn] w', '[error] e'], {}, []]);
  assert.match((await errorsOf('\n  throw new Error("here")'))[0], /^here\n {4}at .*\(src\/main\.ts:2:/);
});

test('facts survive an error in the middle of the runner', async () => {
  const { facts, errors, logs } = await paired(RUNNER.replace('system.events.bump({});\nsystem.events.bump({});', 'throw new Error("in the middle of /home/ada/x.ts");'));
  assert.deepEqual([facts, logs], [{ count: 0 }, ['[start] count= 0']]);
  assert.match(errors[0], /^in the middle of \/<home>\n/);
  const rejected = await paired(RUNNER.replace('await system.settle();', 'await Promise.reject(new Error("settled badly"));'));
  assert.deepEqual([rejected.facts, rejected.errors.length], [{ count: 2 }, 1]);
});

test('facts and logs survive a time-out, which stops a program wherever it is', async () => {
  const { facts, logs, errors, timedOut, durationMs } = await paired(RUNNER.replace('system.destroy();', 'while (true) {}'), { timeoutMs: 200 });
  assert.deepEqual([facts, logs.length, errors, timedOut], [{ count: 2 }, 2, ['wall-clock budget of 200ms elapsed'], true]);
  assert(durationMs >= 200 && durationMs < 5000);
});

test('the time is 5 s, and between 100 ms and 10 s', async () => {
  const { budgetOf } = createRequire(import.meta.url)('../dist/directive/input.js');
  assert.deepEqual([undefined, 0, 99, 100, 3000.7, 10_000, 10_001, Infinity].map(budgetOf), [5000, 100, 100, 100, 3000, 10_000, 10_000, 10_000]);
  assert.deepEqual(await errorsOf('while (true) {}', { timeoutMs: 1 }), ['wall-clock budget of 100ms elapsed']);
});

test('memory is 32 MB', async () => {
  const source = (mib) => `const all = []; for (let i = 0; i < ${mib}; i++) all.push(new Uint8Array(1024 * 1024).fill(1)); console.log(all.length)`;
  assert.deepEqual((await runInSandbox({ source: source(28) })).logs, ['28']);
  assert.match((await errorsOf(source(40)))[0], /^MEMORY: /);
});

test('a program imports the allowed packages that the host has installed, with their parts and what these need', async () => {
  const { logs, errors } = await runInSandbox({
    source: 'import more, { plugins } from "@directive-run/core/plugins"; import { query } from "@directive-run/query"; import * as core from "@directive-run/core"; console.log(more, plugins, query(21), Object.keys(core).sort())',
  });
  assert.deepEqual([logs, errors], [['plugins ["number","string","boolean"] 42 ["createModule","createSystem","t"]'], []]);
});

test('all 17 packages are allowed, and build tools and everything else are denied', async () => {
  const names = 'core ai query react vue svelte solid lit el optimistic timeline mutator knowledge scaffold claude-plugin lint sources'.split(' ');
  assert.equal(names.length, 17);
  for (const name of names) {
    const errors = await errorsOf(`import * as x from "@directive-run/${name}"; console.log(typeof x)`);
    if (['core', 'query'].includes(name)) assert.deepEqual(errors, []);
    else if (name === 'lint') assert.match(errors[0], /^src\/main\.ts:1:\d+ — import "@directive-run\/lint" cannot be used in the sandbox: .*node:fs/);
    else assert.match(errors[0], new RegExp(`^src/main\\.ts:1:\\d+ — import "@directive-run/${name}" is not installed on the host.*npm install @directive-run/${name}$`));
  }
  for (const specifier of ['@directive-run/cli', '@directive-run/mcp', '@directive-run/sandbox', '@directive-run/vite-plugin-api-proxy', 'node:fs', 'express', '@sizls/x', 'isobox-package:@directive-run/core@9.9.9/dist/index.js', 'node:path']) {
    const [error] = await errorsOf(`import * as x from "@directive-run/core"; import * as y from "${specifier}"; console.log(x, y)`);
    assert.match(error, /^src\/main\.ts:1:\d+ — .*allowed are relative paths and @directive-run\/\{ai,/, specifier);
    assert(error.includes(specifier), error);
  }
  assert.match((await errorsOf('import { x } from "./nothing.js"; x'))[0], /src\/main\.ts:1:\d+ — .*\.\/nothing\.js/);
});

test('a program that mentions many packages does not hold the host', async () => {
  const source = Array.from({ length: 6000 }, (_, at) => `"@directive-run/core/x${at}";`).join('');
  const started = performance.now();
  const { errors } = await runInSandbox({ source });
  assert(performance.now() - started < 5000);
  assert.deepEqual(errors, []);
  const [error] = await errorsOf('import x from "@directive-run/query/package.json"; console.log(x)');
  assert(!error?.includes(folder), error);
});

test('names of files, network, timers and eval are rejected before anything runs, all at once, with their places', async () => {
  const refused = ['process', 'require', 'fetch("x")', 'fs', 'child_process', 'eval("1")', 'new Function("x")', 'Function("x")', 'setTimeout(() => {})', 'Buffer'];
  const reached = ['globalThis.process', 'globalThis.fetch', 'globalThis["eval"]', '({}).constructor', '({})["constructor"]', 'import("./x.js")'];
  const source = [...refused, ...reached].map((text) => `void (${text});`).join('\n');
  const { errors, logs } = await runInSandbox({ source: `console.log("ran");\n${source}` });
  assert.deepEqual(logs, []);
  assert.deepEqual(errors.map((error) => Number(/^src\/main\.ts:(\d+):\d+ — /.exec(error)[1])), [...refused, ...reached].map((_, at) => at + 2));
  assert.deepEqual(await errorsOf('const module = { process: 1 }; console.log({ fetch: module.process })'), []);
});

test('names that are computed reach nothing', async () => {
  const { logs, errors } = await runInSandbox({
    source: 'const g = globalThis; const p = g["proc" + "ess"]; console.log(typeof Reflect.get(g, "std"), p?.env?.HOME, p?.binding, p?.mainModule); try { g["ev" + "al"]("1") } catch (e) { console.log("no eval") }',
  });
  assert.deepEqual([logs, errors], [['undefined undefined undefined undefined', 'no eval'], []]);
});

test('a payload that cannot run is a result', async () => {
  const file = (path, source = '1') => ({ path, source });
  const cases = [
    [{}, /pass `source`, or `files`/],
    [{ files: [] }, /at least one file/],
    [{ source: '1', files: [file('src/main.ts')] }, /not both/],
    [{ source: '' }, /"src\/main\.ts" has no source/],
    [{ files: [file('')] }, /has no path/],
    [{ files: [file('src/other.ts')] }, /no file "src\/main\.ts"/],
    [{ files: [file('src/main.ts'), file('src/main.ts')] }, /two files/],
    [{ files: Array.from({ length: 11 }, (_, at) => file(`${at}.ts`)) }, /11 files; the limit is 10/],
    [{ source: 'x'.repeat(200_001) }, /200001 bytes; the limit is 200000/],
    [{ source: 'const x = ;' }, /^src\/main\.ts:1:11 — /],
    [{ files: [file('../x.ts'), file('src/main.ts')] }, /\.\.\/x\.ts/],
  ];
  for (const [input, message] of cases) {
    const { errors, facts, timedOut } = await runInSandbox(input);
    assert.match(errors[0], message);
    assert.deepEqual([errors.length, facts, timedOut], [1, {}, false]);
  }
});

test('whatever a program records, the result has its shape', async () => {
  for (const value of ['null', '7', '"x"', '[1]', '{ facts: 7, derived: [1] }', '{ facts: null }']) {
    const { facts, derived } = await runInSandbox({ source: `codemode.fact("@directive-run/core", ${value}); codemode.fact("own", 1)` });
    assert.deepEqual([facts, derived], [{ own: 1 }, {}]);
  }
  const lied = await paired(RUNNER.replace('system.destroy();', 'globalThis.facts = 7; system.facts.self = system;'));
  assert.deepEqual([lied.errors, lied.facts.count], [[], 2]);
  const flood = await runInSandbox({ source: 'for (let i = 0; i < 1e5; i++) console.log("x".repeat(100))' });
  assert(JSON.stringify(flood.logs).length < 600_000);
});

test('a signal ends the wait for a turn and the program, and the place is free at once', async (t) => {
  const earlier = setMaxConcurrentWorkers(1);
  t.after(() => setMaxConcurrentWorkers(earlier));
  const [one, two] = [new AbortController(), new AbortController()];
  const running = runInSandbox({ source: 'while (true) {}', timeoutMs: 10_000, signal: one.signal });
  const waiting = runInSandbox({ source: 'console.log(2)', signal: two.signal });
  const last = runInSandbox({ source: 'console.log(3)' });
  two.abort();
  await assert.rejects(waiting, { name: 'AbortError' });
  await assert.rejects(runInSandbox({ source: '1', signal: AbortSignal.abort(new Error('gone')) }), /^Error: gone$/);
  const started = performance.now();
  one.abort();
  assert.deepEqual((await running).errors, ['sandbox: aborted by caller signal']);
  assert.deepEqual((await last).logs, ['3']);
  assert(performance.now() - started < 8000);
});

test('at most so many programs run at once, and the others follow in their order', async (t) => {
  const earlier = setMaxConcurrentWorkers(2);
  t.after(() => setMaxConcurrentWorkers(earlier));
  assert.equal(setMaxConcurrentWorkers(1.9), 2);
  assert.equal(setMaxConcurrentWorkers(1), 1);
  const ended = [];
  const runs = [40, 1, 20].map((turns, at) => runInSandbox({ source: `let n = 0; for (let i = 0; i < ${turns}e4; i++) n += i; console.log(n)` }).then(() => ended.push(at)));
  await Promise.all(runs);
  assert.deepEqual(ended, [0, 1, 2]);
  setMaxConcurrentWorkers(Infinity);
  await Promise.all(Array.from({ length: 50 }, () => runInSandbox({ source: 'console.log(1)' })));
});

test('sanitizeStack removes the paths of a host', () => {
  const cases = {
    'at f (file:///private/var/x/bundle.mjs:1:1)': 'at f (<sandbox>)',
    'at f (/Users/ada/x.ts:1:1)': 'at f (/<home>)',
    'at f (/home/ada/x.ts:1:1)': 'at f (/<home>)',
    'at f (/private/var/folders/x.ts:1:1)': 'at f (<tmp>)',
    'at f (/var/task/x.js:1:1)': 'at f (<task>)',
    'at f (/tmp/x.js:1:1)': 'at f (<tmp>)',
    'at f (/opt/x.js:1:1)': 'at f (<opt>)',
    'at f (/usr/local/x.js:1:1)': 'at f (<usr-local>)',
    'at f (/app/node_modules/x.js:1:1)': 'at f (<app>)',
    'at f (/srv/x.js:1:1)': 'at f (<srv>)',
    'at f (/workspace/x.js:1:1)': 'at f (<workspace>)',
    'at f (/data/x.js:1:1)': 'at f (<data>)',
    'at f (/etc/x.js:1:1)': 'at f (<etc>)',
    'at f (/root/.ssh/x:1:1)': 'at f (<root>)',
    'at f (C:\\Users\\ada\\x.ts:1:1)': 'at f (<home>)',
    'at f (D:\\a\\_work\\x.ts:1:1)': 'at f (<path>)',
    'at f (\\\\server\\share\\x.ts:1:1)': 'at f (<unc>)',
    'at f (/mnt/disk/x.ts:1:1)\n    at /mnt/y.ts:2:2': 'at f (<path>:1:1)\n    at <path>:2:2',
    '{"file":"/Users/ada/a.ts","line":1}': '{"file":"/<home>","line":1}',
    "Error: Cannot find module 'foo' (from a loader) at 1/2 of https://a.example/b": "Error: Cannot find module 'foo' (from a loader) at 1/2 of https://a.example/b",
  };
  for (const [stack, clean] of Object.entries(cases)) assert.equal(sanitizeStack(stack), clean);
  assert.equal(sanitizeStack(undefined), '');
  const here = sanitizeStack(new Error('x').stack);
  assert(!here.includes(import.meta.dirname ?? 'sdk/node/test'), here);
  const long = `at f (${'/home/a'.repeat(50_000)}`;
  const started = performance.now();
  sanitizeStack(long);
  assert(performance.now() - started < 1000);
});

test('bad use is a TypeError that names the option, its value and what was expected', async () => {
  const cases = [
    [undefined, /options are null; expected an object/],
    [{ source: 7 }, /`source` is 7; expected a string/],
    [{ files: 'x' }, /`files` is "x"; expected an array/],
    [{ files: [{ path: 'src/main.ts' }] }, /`files\[0\]` is \{"path":"src\/main\.ts"\}; expected \{ path, source \}/],
    [{ files: [null] }, /`files\[0\]` is null/],
    [{ source: '1', timeoutMs: '5s' }, /`timeoutMs` is "5s"; expected a number/],
    [{ source: '1', timeoutMs: NaN }, /`timeoutMs` is null; expected a number|`timeoutMs` is NaN/],
    [{ source: '1', signal: {} }, /`signal` is \{\}; expected an AbortSignal/],
    [{ source: '1', timeout: 5 }, /no option `timeout`.*did you mean `timeoutMs`|no option `timeout`/],
  ];
  for (const [input, message] of cases) await assert.rejects(runInSandbox(input), (error) => error instanceof TypeError && message.test(error.message));
  for (const value of [0, -1, NaN, '8', undefined]) assert.throws(() => setMaxConcurrentWorkers(value), /`workers` is .*; expected a number of at least 1, or Infinity/);
  assert.throws(() => sanitizeStack(7), /`stack` is 7; expected a string or undefined/);
});
