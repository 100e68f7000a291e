// Modules by their specifiers, as Cloudflare's executor takes them.

import type { ModuleOptions } from '../modules';
import { shown } from '../schema';

/** Modules of an executor: those that programs import by name, and those that they import by path, which are files of the program. */
export interface Sources {
  named: Record<string, ModuleOptions>;
  files: Record<string, string>;
}

/** Checks modules. The name of the original's own module is ignored. */
export function readSources(owner: string, modules: unknown): Sources {
  if (typeof modules !== 'object' || modules === null || Array.isArray(modules)) {
    throw new TypeError(`${owner}: \`modules\` is ${shown(modules)}; expected an object of sources by specifier`);
  }
  const sources: Sources = { named: {}, files: {} };
  for (const [specifier, source] of Object.entries(modules)) {
    if (typeof source !== 'string') throw new TypeError(`${owner}: \`modules[${shown(specifier)}]\` is ${shown(source)}; expected its source`);
    if (specifier === 'executor.js') continue;
    if (specifier.startsWith('./')) sources.files[specifier.slice(2)] = source;
    else sources.named[specifier] = specifier.endsWith('.json') ? { value: json(owner, specifier, source) } : { source };
  }
  return sources;
}

function json(owner: string, specifier: string, source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    throw new TypeError(`${owner}: \`modules[${shown(specifier)}]\` is ${shown(source)}; expected JSON`);
  }
}

/** Returns a program with its files. */
export function programWith({ files }: Sources, program: string): string | Record<string, string> {
  return Object.keys(files).length === 0 ? program : { ...files, 'main.ts': program };
}
