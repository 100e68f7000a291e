// The packages as users install them: without a network, a compiler or a checkout.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('..', import.meta.url));
const json = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** Runs a script in a folder with nothing but Node in its path. */
function run(folder, given) {
  const { status, stdout, stderr } = spawnSync(process.execPath, given, { cwd: folder, encoding: 'utf8', env: { PATH: dirname(process.execPath), HOME: folder } });
  return { status, stdout, stderr };
}

test('two packages are installed into an empty folder, nothing is compiled, and the example of the README runs', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'isobox-package-'));
  t.after(() => rmSync(folder, { recursive: true }));
  execFileSync(join(HERE, 'pack'), [folder], { env: { ...process.env, ISOBOX_NODE: process.execPath } });
  const platform = `isobox-${createRequire(import.meta.url)('../platform.cjs')()}`;
  const { version } = json(join(HERE, 'package.json'));
  const archives = [`isobox-${version}.tgz`, `${platform}-${version}.tgz`];
  assert.deepEqual(readdirSync(folder).sort(), archives.toSorted());

  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true }');
  const npm = join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js');
  assert(existsSync(npm), `npm is not beside ${process.execPath}`);
  const installed = run(project, [npm, 'install', '--offline', '--no-audit', '--no-fund', ...archives.map((one) => `../${one}`)]);
  assert.equal(installed.status, 0, installed.stderr);
  assert.deepEqual(readdirSync(join(project, 'node_modules')).sort(), ['.package-lock.json', 'isobox', platform]);

  const lock = json(join(project, 'node_modules/.package-lock.json'));
  for (const [path, one] of Object.entries(lock.packages)) assert.equal(one.hasInstallScript, undefined, path);
  const main = json(join(project, 'node_modules/isobox/package.json'));
  assert.deepEqual(main.optionalDependencies, { [platform]: version });
  assert.deepEqual([main.scripts, main.devDependencies], [undefined, undefined]);
  for (const [entry, paths] of Object.entries(main.exports)) {
    const files = typeof paths === 'string' ? [paths] : Object.values(paths).flatMap((one) => Object.values(one));
    for (const file of files) assert(existsSync(join(project, 'node_modules/isobox', file)), `${entry}: ${file}`);
  }
  for (const name of ['isobox', platform]) {
    const files = readdirSync(join(project, 'node_modules', name));
    for (const licence of ['LICENSE-APACHE', 'LICENSE-MIT', 'README.md']) assert(files.includes(licence), `${name}: ${licence}`);
  }
  assert.match(readFileSync(join(project, 'node_modules', platform, 'THIRD-PARTY.txt'), 'utf8'), /napi .*MIT/);

  const [, example] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(HERE, 'README.md'), 'utf8'));
  writeFileSync(join(project, 'example.mjs'), example);
  const required = example.replace(/import (\{.*\}) from 'isobox';/, "const $1 = require('isobox');");
  assert.notEqual(required, example);
  writeFileSync(join(project, 'example.cjs'), `(async () => {${required}})();`);
  for (const file of ['example.mjs', 'example.cjs']) assert.deepEqual(run(project, [file]), { status: 0, stdout: '3\n', stderr: '' });

  const elsewhere = "Object.defineProperty(process, 'platform', { value: 'sunos' }); require('isobox')";
  assert.match(run(project, ['-e', elsewhere]).stderr, new RegExp(`no native part for sunos-\\w+: there is no package for this platform, only ${platform}`));
  rmSync(join(project, 'node_modules', platform), { recursive: true });
  assert.match(run(project, ['example.cjs']).stderr, new RegExp(`the package ${platform} is not installed`));
});
