// Modules of the host from texts. Isobox reads modules from files, when a runtime is created.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { shown } from '../schema';

/** Checks modules by their specifiers. The name of the original's own module is ignored. */
export function checkModules(owner: string, modules: unknown): Record<string, string> {
  if (typeof modules !== 'object' || modules === null || Array.isArray(modules)) {
    throw new TypeError(`${owner}: \`modules\` is ${shown(modules)}; expected an object of sources by specifier`);
  }
  const entries = Object.entries(modules).filter(([specifier]) => specifier !== 'executor.js');
  for (const [specifier, source] of entries) {
    if (typeof source !== 'string') throw new TypeError(`${owner}: \`modules[${shown(specifier)}]\` is ${shown(source)}; expected its source`);
  }
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Creates a runtime whose configuration names the modules. Their files are gone afterwards. */
export function withModules<T>(modules: Record<string, string>, create: (config: { modules: Record<string, string> }) => T): T {
  const named = Object.entries(modules).filter(([specifier]) => !isRelative(specifier));
  const folder = mkdtempSync(join(tmpdir(), 'isobox-modules-'));
  try {
    const paths = named.map(([specifier, source], index): [string, string] => {
      const path = join(folder, `${index}.${specifier.endsWith('.json') ? 'json' : 'ts'}`);
      writeFileSync(path, source);
      return [specifier, path];
    });
    return create({ modules: Object.fromEntries(paths) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns a program with the modules whose specifiers are paths, such as `./lib.js`: they are files of the program. */
export function programWith(modules: Record<string, string>, program: string): string | Record<string, string> {
  const files = Object.entries(modules)
    .filter(([specifier]) => isRelative(specifier))
    .map(([specifier, source]) => [specifier.slice(2), source]);
  return files.length === 0 ? program : { ...Object.fromEntries(files), [MAIN]: program };
}

const MAIN = 'main.ts';
const isRelative = (specifier: string): boolean => specifier.startsWith('./');
