// The native part, and the numbers of its messages.

import type { Definition } from './tool';

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
  declare: (definitions: string) => string;
  Engine: new (options: string, dispatch: (kind: number, id: number, json: string) => void) => NativeEngine;
}

const { Engine, declare } = require('../native.cjs') as Native;

export { Engine };

/** Returns the TypeScript declarations of tools. */
export function declareTools(definitions: readonly Definition[]): string {
  return declare(JSON.stringify(definitions));
}
