// The runtime of all programs. It has the packages of Directive that programs have asked for so far.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';

import { memoryFor } from '../highest';
import { Isobox } from '../isobox';
import { TIMEOUT } from './input';
import { ALLOWED, type Modules, mentioned, modulesOf } from './packages';
import { sanitizeStack } from './stack';

/** Globals of a host that a program must not name. */
const DENIED = [
  ...['process', 'require', 'module', '__dirname', '__filename', 'fs', 'child_process', 'Buffer'],
  ...['fetch', 'XMLHttpRequest', 'WebSocket', 'eval', 'Function'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'queueMicrotask'],
];

const IMPORTS = ALLOWED.flatMap((name) => [`@directive-run/${name}`, `@directive-run/${name}/*`]);

/** The sentence about an import that is not allowed. */
export const IMPORTABLE = `allowed are relative paths and @directive-run/{${ALLOWED.join(',')}}`;

const RULES = [
  { allow: 'imports', names: ['./*', '../*', ...IMPORTS], message: IMPORTABLE },
  { deny: 'globals', names: DENIED, message: 'files, the network, timers and eval are not available in the sandbox' },
  { deny: 'members', names: ['constructor'], message: 'it leads to the constructor of functions' },
  { deny: 'syntax', names: ['dynamic-import'], message: 'import what the program needs at its top' },
];

const LIMITS = {
  timeout: TIMEOUT.most,
  cpu: TIMEOUT.most,
  memory: memoryFor(32 * 1024 * 1024),
  facts: '1MiB',
  settle: 0,
};

let current: { isobox: Isobox; modules: Modules; specifiers: ReadonlySet<string> } | undefined;
/** Why packages that are installed cannot be used. */
const unusable = new Map<string, string>();
const MAX_UNUSABLE = 1000;

/** Returns the runtime for a program, with the packages that it mentions as far as they can be used. */
export function runtimeFor(files: Record<string, string>): Isobox {
  let usable = current ?? { isobox: new Isobox({ checks: 'off', limits: LIMITS, config: { rules: RULES } }), modules: new Map(), specifiers: new Set() };
  for (const specifier of mentioned(Object.values(files))) {
    if (usable.specifiers.has(specifier) || unusable.has(specifier)) continue;
    try {
      const added = modulesOf(specifier);
      if (added === undefined) continue;
      const modules = new Map([...usable.modules, ...added]);
      usable = { isobox: isoboxWith(modules), modules, specifiers: new Set([...usable.specifiers, specifier]) };
    } catch (error) {
      if (unusable.size >= MAX_UNUSABLE) unusable.clear();
      unusable.set(specifier, sanitizeStack(error instanceof Error ? error.message : String(error)));
    }
  }
  current = usable;
  return usable.isobox;
}

/** Returns why a specifier cannot be imported. */
export function whyNot(specifier: string): string {
  const known = IMPORTS.some((name) => specifier === name || (name.endsWith('*') && specifier.startsWith(name.slice(0, -1))));
  if (!known) return `import "${specifier}" is not allowed in the sandbox: ${IMPORTABLE}`;
  const why = unusable.get(specifier);
  if (why !== undefined) return `import "${specifier}" cannot be used in the sandbox: ${why}`;
  return `import "${specifier}" is not installed on the host, or has no such part: npm install ${specifier.split('/').slice(0, 2).join('/')}`;
}

/** Creates a runtime with modules. They are written to files, which it reads before this returns. */
function isoboxWith(modules: Modules): Isobox {
  const folder = mkdtempSync(join(tmpdir(), 'isobox-directive-'));
  try {
    const paths: Record<string, string> = {};
    for (const [specifier, source] of modules) {
      const path = join(folder, `${Object.keys(paths).length}${extname(specifier) === '.json' ? '.json' : '.js'}`);
      writeFileSync(path, source);
      paths[specifier] = path;
    }
    return new Isobox({ checks: 'off', limits: LIMITS, config: { rules: RULES, modules: paths } });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
