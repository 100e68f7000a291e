// Runs programs of Directive.

import { IsoboxError } from '../errors';
import type { Failure, Log, Outcome } from '../outcome';
import { MAIN, type RunInSandboxInput, budgetOf, readPayload } from './input';
import { FACTS } from './packages';
import { inTurn } from './queue';
import { runtimeFor, whyNot } from './runtime';
import { sanitizeStack } from './stack';

export interface SandboxResult {
  /** The lines of the console. Those of `warn` and `error` begin with `[warn]` and `[error]`. */
  logs: string[];
  /** The facts of the last system that was created, and what the program recorded with `codemode.fact`. */
  facts: Record<string, unknown>;
  /** The derivations of that system, if it has one module. */
  derived: Record<string, unknown>;
  /** What is wrong with the program, or what it threw. Empty if it ended well. */
  errors: string[];
  durationMs: number;
  timedOut: boolean;
}

/**
 * Runs a program, and returns its transcript. Failures of the program are in `errors`. Rejects if the signal aborts before the program has
 * started, and with a `TypeError` for options of another type.
 */
export async function runInSandbox(input: RunInSandboxInput): Promise<SandboxResult> {
  const payload = readPayload(input);
  if ('problem' in payload) return refused(payload.problem);
  const { signal, timeoutMs } = input;
  const timeout = budgetOf(timeoutMs);
  const { files, entry } = withEntry(payload.files);
  return inTurn(signal, async () => {
    try {
      const run = { entry, limits: { timeout, cpu: timeout }, durable: false, ...(signal && { signal }) };
      return resultOf(await runtimeFor(files).run(files, run), timeout);
    } catch (error) {
      // Paths that no program may have, for example.
      if (error instanceof IsoboxError) return refused(error.message);
      throw error;
    }
  });
}

function refused(problem: string): SandboxResult {
  return { logs: [], facts: {}, derived: {}, errors: [problem], durationMs: 0, timedOut: false };
}

/** Adds a file that imports the first one, so that this is a module like the others: what it returns does not matter. */
function withEntry(files: Record<string, string>): { files: Record<string, string>; entry: string } {
  let entry = 'isobox.ts';
  while (entry in files) entry = `_${entry}`;
  return { files: { ...files, [entry]: `import "./${MAIN}";\nreturn null;` }, entry };
}

function resultOf(outcome: Outcome, timeout: number): SandboxResult {
  const { [FACTS]: system, ...told } = outcome.facts ?? {};
  const { facts, derived } = record(system);
  const failure = outcome.status === 'failed' || outcome.status === 'interrupted' ? outcome.error : undefined;
  return {
    logs: outcome.logs.map(lineOf),
    facts: { ...told, ...record(facts) },
    derived: record(derived),
    errors: failure === undefined ? [] : errorsOf(failure, timeout),
    durationMs: 'durationMs' in outcome ? outcome.durationMs : 0,
    timedOut: failure?.code === 'TIMEOUT',
  };
}

/** Returns a value that should be an object. A program may have recorded anything. */
function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function lineOf({ level, message }: Log): string {
  return level === 'warn' || level === 'error' ? `[${level}] ${message}` : message;
}

function errorsOf(failure: Failure, timeout: number): string[] {
  const { code, message, details = {} } = failure;
  switch (code) {
    case 'TIMEOUT':
      return [`wall-clock budget of ${timeout}ms elapsed`];
    case 'ABORTED':
      return ['sandbox: aborted by caller signal'];
    case 'CHECK':
      return ((details['findings'] ?? []) as Finding[]).map(placed);
    case 'SYNTAX': {
      const [, specifier] = /^`([^`]+)` cannot be imported$/.exec(message) ?? [];
      const isPackage = specifier !== undefined && !specifier.startsWith('.');
      return [placed({ ...failure, ...details, message: isPackage ? whyNot(specifier) : message })];
    }
    default: {
      const stack = typeof details['stack'] === 'string' ? details['stack'].split('\n').map((frame) => `    ${frame.trim()}`) : [];
      return [sanitizeStack([code === 'THROWN' ? message : `${code}: ${message}`, ...stack].join('\n'))];
    }
  }
}

interface Finding {
  message: string;
  file?: unknown;
  line?: number;
  column?: number;
}

function placed({ message, file, line, column }: Finding): string {
  return `${typeof file === 'string' ? file : MAIN}:${line ?? 1}:${column ?? 1} — ${message}`;
}
