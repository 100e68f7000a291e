// Programs: a text, or files by path.

import { shown } from './schema';

/** The files of a program, by path. */
export type Files = Record<string, string>;

/** A program as the native part takes it. */
export type Source = { code: string } | { files: Files; entry: string };

const ENTRIES = ['main.ts', 'main.js', 'index.ts', 'index.js'];

/** Checks a program, and finds its first file. `owner` names the function in errors. */
export function sourceOf(owner: string, program: string | Files, chosen: string | undefined): Source {
  if (typeof program === 'string') return { code: program };
  const isProgram = typeof program === 'object' && program !== null && !Array.isArray(program);
  if (!isProgram || !Object.values(program).every((source) => typeof source === 'string')) {
    throw new TypeError(`${owner}: the program is ${shown(program)}; expected a text, or an object of texts by path`);
  }
  const entry = chosen ?? ENTRIES.find((one) => one in program) ?? Object.keys(program)[0];
  if (entry === undefined || !(entry in program)) {
    throw new TypeError(`${owner}: \`entry\` is ${shown(entry)}; expected one of ${Object.keys(program).join(', ') || 'the files, and there are none'}`);
  }
  return { files: program, entry };
}
