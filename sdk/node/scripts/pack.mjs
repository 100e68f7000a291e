// Makes the npm packages. See `sdk/node/pack`.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('..', import.meta.url));
const ROOT = join(HERE, '../..');
/** What the images and the table of meanings inside the native part contain. */
const NOTICES = ['guest/NOTICE.md', 'crates/isobox-core/src/tools/search/NOTICE.md'];
const LICENCES = ['LICENSE-MIT', 'LICENSE-APACHE'];
/** The targets of Rust, by the names of the platforms. */
const TARGETS = { 'linux-x64-gnu': 'x86_64-unknown-linux-gnu' };

const json = (path) => JSON.parse(readFileSync(path, 'utf8'));
const fail = (message) => {
  console.error(message);
  process.exit(1);
};

const [, , output] = process.argv;
const name = createRequire(import.meta.url)('../platform.cjs')();
const addon = `isobox.${name}.node`;
const main = json(join(HERE, 'package.json'));
const platforms = readdirSync(join(HERE, 'npm'));

if (!platforms.includes(name)) fail(`There is no package for ${name}: sdk/node/npm has ${platforms.join(', ')}.`);
for (const path of [addon, 'dist/index.js']) if (!existsSync(join(HERE, path))) fail(`${path} is missing: run sdk/node/build first.`);
const version = /^\[workspace\.package\][^[]*?^version = "([^"]+)"/ms.exec(readFileSync(join(ROOT, 'Cargo.toml'), 'utf8'))?.[1];
for (const [owner, found] of [['package.json', main.version], ...platforms.map((one) => [`npm/${one}/package.json`, json(join(HERE, 'npm', one, 'package.json')).version])]) {
  if (found !== version) fail(`The version in sdk/node/${owner} is ${found}, and Isobox has ${version}.`);
}

const { devDependencies: _, scripts: __, ...kept } = main;
const optionalDependencies = Object.fromEntries(platforms.map((one) => [`isobox-${one}`, version]));
pack({ ...kept, optionalDependencies }, (staging) => {
  for (const path of ['dist', 'native.cjs', 'platform.cjs', 'README.md']) cpSync(join(HERE, path), join(staging, path), { recursive: true });
});
const described = json(join(HERE, 'npm', name, 'package.json'));
pack({ ...described, files: [...described.files, 'NOTICE.md', 'THIRD-PARTY.txt'] }, (staging) => {
  cpSync(join(HERE, 'npm', name), staging, { recursive: true });
  copyFileSync(join(HERE, addon), join(staging, addon));
  writeFileSync(join(staging, 'NOTICE.md'), NOTICES.map((path) => readFileSync(join(ROOT, path), 'utf8')).join('\n'));
  const collect = 'import sys; from pathlib import Path; sys.path.insert(0, "scripts"); from third_party import third_party; print(third_party(Path("."), sys.argv[1], "isobox-node"), end="")';
  writeFileSync(join(staging, 'THIRD-PARTY.txt'), execFileSync('python3', ['-B', '-c', collect, TARGETS[name]], { cwd: ROOT, maxBuffer: 2 ** 28 }));
});

/** Packs what `fill` puts into a folder, with the licences. */
function pack(description, fill) {
  const staging = mkdtempSync(join(tmpdir(), 'isobox-pack-'));
  try {
    fill(staging);
    for (const licence of LICENCES) copyFileSync(join(ROOT, licence), join(staging, licence));
    writeFileSync(join(staging, 'package.json'), `${JSON.stringify({ ...description, files: [...description.files, ...LICENCES] }, null, 2)}\n`);
    const { status, stdout, stderr } = npm(['pack', '--ignore-scripts', '--json', '--pack-destination', output], staging);
    if (status !== 0) fail(stderr);
    const [{ filename, size }] = Object.values(JSON.parse(stdout));
    console.log(`wrote ${join(output, filename)}: ${size} bytes`);
  } finally {
    rmSync(staging, { recursive: true });
  }
}

function npm(given, cwd) {
  const own = join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js');
  const [command, ...before] = existsSync(own) ? [process.execPath, own] : ['npm'];
  return spawnSync(command, [...before, ...given], { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 });
}
