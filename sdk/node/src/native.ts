// The native part, and the numbers of its messages.

/** The kinds of messages to the callback. `native/bridge.rs` has the same numbers. */
export const Kind = {
  done: 0,
  failed: 1,
  call: 2,
  revert: 3,
  approve: 4,
  needsApproval: 5,
  cancelled: 6,
  event: 7,
} as const;

export interface NativeEngine {
  run(id: number, run: string): void;
  request(id: number, request: string): void;
  cancel(id: number): void;
  answer(id: number, isOk: boolean, json: string): void;
  progress(id: number, json: string): void;
}

interface Native {
  Engine: new (options: string, dispatch: (kind: number, id: number, json: string) => void) => NativeEngine;
}

export const { Engine } = require('../native.cjs') as Native;
