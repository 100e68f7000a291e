// Modules of the host, which programs import by name.

import { checkOptions } from './check';
import { shown } from './schema';

/**
 * A module: the path of a file or `{ path, types }` as in `isobox.json`, its `source` in JavaScript or TypeScript, or a JSON `value`,
 * which is the default export. `types` are the declarations that models see: a path beside `path`, and else a text.
 */
export type ModuleOptions =
  | string
  | { path: string; types?: string }
  | { source: string; types?: string }
  | { value: unknown; types?: string };

/** Modules as the native part takes them: those in files, and those with contents. */
interface ReadModules {
  files: Record<string, unknown>;
  contents: { specifier: string; content: { source: string } | { value: unknown }; types?: string }[];
}

const EXPECTED = 'a path, { path }, { source } or { value }';

export function readModules(owner: string, modules: Record<string, ModuleOptions>): ReadModules {
  const read: ReadModules = { files: {}, contents: [] };
  for (const [specifier, module] of Object.entries(modules)) {
    if (typeof module === 'string') {
      read.files[specifier] = module;
      continue;
    }
    const kinds = typeof module === 'object' && module !== null ? ['path', 'source', 'value'].filter((key) => key in module) : [];
    if (kinds.length !== 1) throw new TypeError(`${owner}.${specifier} is ${shown(module)}; expected ${EXPECTED}`);
    checkOptions(`${owner}.${specifier}`, module, { path: 'someText', source: 'text', value: 'any', types: 'text' });
    if ('path' in module) {
      read.files[specifier] = module;
    } else {
      const content = 'source' in module ? { source: module.source } : { value: module.value ?? null };
      read.contents.push({ specifier, content, ...(module.types !== undefined && { types: module.types }) });
    }
  }
  return read;
}
