// The input of `runInSandbox`: what is a mistake of the host, and what is a mistake in a payload that the host passes on.

import { checkOptions } from '../check';
import { shown } from '../schema';

/** A file of a payload. */
export interface PlaygroundFile {
  /** The path within the payload. The program starts with `src/main.ts`. */
  path: string;
  source: string;
}

export interface RunInSandboxInput {
  /** A program of one file, which becomes `src/main.ts`. */
  source?: string | undefined;
  /** A program of several files. */
  files?: PlaygroundFile[] | undefined;
  /** The maximum time, in milliseconds. The default is 5,000. Less than 100 is 100, and more than 10,000 is 10,000. */
  timeoutMs?: number | undefined;
  /** Gives up the place in the queue, or stops the program. */
  signal?: AbortSignal | undefined;
}

/** The file with which a program starts. */
export const MAIN = 'src/main.ts';

export const TIMEOUT = { least: 100, usual: 5_000, most: 10_000 } as const;

const MAX_FILES = 10;
const MAX_BYTES = 200_000;

/** A payload that is ready to run, or a sentence that says why it is not one. */
export type Payload = { files: Record<string, string> } | { problem: string };

/** Returns the time that a program has, in milliseconds. */
export function budgetOf(timeoutMs: number = TIMEOUT.usual): number {
  return Math.min(Math.max(Math.floor(timeoutMs), TIMEOUT.least), TIMEOUT.most);
}

/** Checks an input. Throws a `TypeError` for values of other types; anything else is a problem of the payload. */
export function readPayload(input: RunInSandboxInput): Payload {
  checkOptions('runInSandbox', input ?? null, { source: 'text', files: 'list', timeoutMs: 'any', signal: 'signal' });
  const { source, files, timeoutMs } = input;
  if (timeoutMs !== undefined && (typeof timeoutMs !== 'number' || Number.isNaN(timeoutMs))) {
    throw new TypeError(`runInSandbox: \`timeoutMs\` is ${shown(timeoutMs)}; expected a number of milliseconds`);
  }
  for (const [at, file] of (files ?? []).entries()) {
    if (typeof file?.path !== 'string' || typeof file.source !== 'string') {
      throw new TypeError(`runInSandbox: \`files[${at}]\` is ${shown(file)}; expected { path, source } with strings`);
    }
  }
  if (source !== undefined && files !== undefined) return { problem: 'pass either `source` or `files`, not both' };
  const all = files ?? (source === undefined ? [] : [{ path: MAIN, source }]);
  return problemOf(all) ?? { files: Object.fromEntries(all.map((file) => [file.path, file.source])) };
}

function problemOf(files: PlaygroundFile[]): Payload | undefined {
  if (files.length === 0) return { problem: 'pass `source`, or `files` with at least one file' };
  if (files.length > MAX_FILES) return { problem: `the payload has ${files.length} files; the limit is ${MAX_FILES}` };
  const empty = files.find(({ path, source }) => path === '' || source === '');
  if (empty !== undefined) return { problem: `the file ${shown(empty.path)} has no ${empty.path === '' ? 'path' : 'source'}` };
  const twice = files.find(({ path }, at) => files.findIndex((other) => other.path === path) !== at);
  if (twice !== undefined) return { problem: `the payload has two files with the path ${shown(twice.path)}` };
  const bytes = files.reduce((sum, { source }) => sum + Buffer.byteLength(source), 0);
  if (bytes > MAX_BYTES) return { problem: `the payload has ${bytes} bytes; the limit is ${MAX_BYTES}` };
  if (!files.some(({ path }) => path === MAIN)) return { problem: `the payload has no file "${MAIN}", with which a program starts` };
  return undefined;
}
