// The native part, and the numbers of its messages.

import type { Definition } from './tool';

/** The kinds of messages. `native/bridge.rs` has the same numbers. */
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

/** A message of the native part. */
export type Message = readonly [kind: number, id: number, json: string];

export interface NativeEngine {
  run(id: number, run: string): void;
  request(id: number, request: string): void;
  cancel(id: number): void;
  /** Takes the first message. */
  take(): Message | null;
  /** Looks for a message for a moment, and takes it. */
  glance(): Message | null;
  /** Sets whether this thread looks for messages. It is called for them otherwise. */
  watch(isWatched: boolean): void;
  answer(id: number, isOk: boolean, json: string): void;
  progress(id: number, json: string): void;
}

interface Native {
  declare: (definitions: string) => string;
  Engine: new (options: string, dispatch: () => void) => NativeEngine;
}

const { Engine, declare } = require('../native.cjs') as Native;

export { Engine };

/** Returns the TypeScript declarations of tools. */
export function declareTools(definitions: readonly Definition[]): string {
  return declare(JSON.stringify(definitions));
}
