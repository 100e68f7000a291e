// The migrations: what runs before and after is the same, and the difference is what the guide shows.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { installPackages } from './directive-packages.mjs';

const folder = new URL('../examples/migrate/', import.meta.url);
const guide = readFileSync(new URL('../../../docs/guides/node.md', import.meta.url), 'utf8');

/** What a program writes. */
async function output(path, cwd) {
  const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(new URL(path, folder))], { cwd, timeout: 60_000 });
  return stdout;
}

/** The lines that differ, as in a diff without context. Lines are replaced, never added or removed alone. */
function differences(name) {
  const [before, after] = ['before', 'after'].map((file) => readFileSync(new URL(`${name}/${file}.mjs`, folder), 'utf8').split('\n'));
  assert.equal(before.length, after.length);
  return before.flatMap((line, at) => (line === after[at] ? [] : [`-${line}`, `+${after[at]}`])).join('\n');
}

const MIGRATIONS = {
  vercel: ['asks for deleteFile { path: \'notes.md\' }', '{ text: \'old notes\', deleted: true } [ \'todo.md\' ]'],
  tanstack: ['{ success: true, result: 20, logs: [ \'cities: 3\' ] }'],
  cloudflare: undefined,
  directive: ['{', "  logs: [ '[start] count= 0', '[settled] count= 2' ],", '  facts: { count: 2 },', '  errors: [],', '  timedOut: false', '}'],
  toolshed: ["asks for github.issues.create { title: 'Fix login again' } after 1 call", "[ 'Fix login', 'Fix login again' ]"],
};

test('every migration is tested, and the guide shows its difference', () => {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name);
  assert.deepEqual(names.sort(), Object.keys(MIGRATIONS).sort());
  const shown = [...guide.split('## Migrating')[1].matchAll(/examples\/migrate\/(\w+)[^]*?```diff\n([^]*?)\n```/g)].map(([, name, diff]) => [name, diff]);
  assert.deepEqual(Object.fromEntries(shown), Object.fromEntries(names.map((name) => [name, differences(name)])));
  for (const name of names) assert(differences(name).split('\n').length <= 6, name);
});

for (const name of ['vercel', 'tanstack', 'directive', 'toolshed']) {
  test(`${name}: the program runs with Isobox`, async (t) => {
    const cwd = name === 'directive' ? installPackages() : undefined;
    if (cwd !== undefined) t.after(() => rmSync(cwd, { recursive: true, force: true }));
    assert.equal(await output(`${name}/after.mjs`, cwd), `${MIGRATIONS[name].join('\n')}\n`);
  });
}

// Directive's and Toolshed's packages are not on the registry, and Cloudflare's executor needs a Worker.
for (const name of ['vercel', 'tanstack']) {
  // Vercel's package needs Node 22.
  test(`${name}: the program writes the same with the original`, { skip: name === 'vercel' && Number(process.versions.node.split('.')[0]) < 22 }, async () => {
    assert.equal(await output(`${name}/before.mjs`), `${MIGRATIONS[name].join('\n')}\n`);
  });
}

test('cloudflare: the handler answers with Isobox', async () => {
  const { default: worker } = await import(new URL('cloudflare/after.mjs', folder));
  const code = 'async () => { console.log("adding"); return await codemode.add({ a: 1, b: 2 }); }';
  const response = await worker.fetch(new Request('http://localhost/', { method: 'POST', body: code }), {});
  assert.deepEqual(await response.json(), { result: 3, logs: ['adding'] });
});
