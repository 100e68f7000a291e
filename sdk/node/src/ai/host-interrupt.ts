// Pauses a program from inside a host tool.

import type { CodeModeInterruptPayload } from './types';

/** Thrown by `requestCodeModeInterrupt`. */
export class HostInterrupt extends Error {
  readonly payload: CodeModeInterruptPayload;

  constructor(payload: CodeModeInterruptPayload) {
    super('Code mode host interrupt requested.');
    this.name = 'CodeModeHostInterrupt';
    this.payload = payload;
  }
}

/** Pauses the invocation from inside a host tool. The tool runs again with the resolution as `codeModeInterrupt`. */
export function requestCodeModeInterrupt(payload: CodeModeInterruptPayload): never {
  if (typeof payload !== 'object' || payload === null || typeof payload.kind !== 'string' || payload.kind === '') {
    throw new TypeError('requestCodeModeInterrupt: payload.kind must be a non-empty string.');
  }
  throw new HostInterrupt(payload);
}
