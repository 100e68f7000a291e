// What adapters say of an execution that is not over, where the original has one text for all errors.

import { IsoboxError } from './errors';
import type { Interrupted } from './outcome';

/** Returns the text for an execution that this process cannot continue. `goOn` says how to continue it. */
export function interruption({ executionId, error }: Interrupted, goOn: string): string {
  return `${error.message} (execution ${executionId}): ${error.hint ?? 'the execution is not over'}; ${goOn}`;
}

/** Returns the text for an execution that another process runs. */
export function elsewhere(executionId: string, goOn: string): string {
  return `another process runs the execution ${executionId}: do not run the program again; ${goOn}`;
}

/** Returns the text for an error of a request about an execution. If the store failed, the execution may not be over. */
export function failureOf(error: unknown, executionId: string, goOn: string): string {
  if (!(error instanceof IsoboxError)) return error instanceof Error ? error.message : String(error);
  if (error.code !== 'STORE') return error.message;
  return `${error.message} (execution ${executionId}): ${error.hint === undefined ? '' : `${error.hint}; `}the execution may not be over: do not run the program again; ${goOn}`;
}
