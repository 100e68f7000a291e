// A started execution: its ID, its events and its outcome.

import type { ExecutionEvent, Outcome } from './outcome';
import { randomHex } from './random';

/** The maximum number of buffered events. Earlier ones are dropped; `number` then has a gap. */
const MAX_EVENTS = 1024;
/** The maximum size of buffered events, in characters of JSON. The last event is never dropped. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** A started execution. Iterating it gives its events. */
export class Execution<T = unknown> implements AsyncIterable<ExecutionEvent> {
  /** The ID of the execution. */
  readonly id: string;
  /** Resolves once the execution has ended or paused. */
  readonly outcome: Promise<Outcome<T>>;
  readonly #cancel: () => void;
  readonly #events: Events;

  /** @internal */
  constructor(id: string, outcome: Promise<Outcome<T>>, cancel: () => void, events: Events) {
    this.id = id;
    this.outcome = outcome;
    this.#cancel = cancel;
    this.#events = events;
  }

  /** Cancels the execution: its outcome is `ABORTED`, unless it has ended before. */
  cancel(): void {
    this.#cancel();
  }

  /** Gives the events from the first that is still buffered, and ends with the execution. */
  [Symbol.asyncIterator](): AsyncIterator<ExecutionEvent> {
    return this.#events.read();
  }
}

/** The events of an execution. Every reader reads at its own pace. */
export class Events {
  readonly #buffered: { event: ExecutionEvent; size: number }[] = [];
  #size = 0;
  #first = 0;
  #isClosed = false;
  #wake: (() => void)[] = [];

  /** Adds an event whose JSON has this many characters. */
  add(event: ExecutionEvent, size: number): void {
    this.#buffered.push({ event, size });
    this.#size += size;
    while (this.#buffered.length > MAX_EVENTS || (this.#size > MAX_CHARACTERS && this.#buffered.length > 1)) {
      this.#size -= this.#buffered.shift()?.size ?? 0;
      this.#first += 1;
    }
    this.#wakeAll();
  }

  close(): void {
    this.#isClosed = true;
    this.#wakeAll();
  }

  async *read(): AsyncGenerator<ExecutionEvent, void, void> {
    for (let next = this.#first; ; next++) {
      next = Math.max(next, this.#first);
      while (next - this.#first >= this.#buffered.length) {
        if (this.#isClosed) return;
        await new Promise<void>((resolve) => this.#wake.push(resolve));
        next = Math.max(next, this.#first);
      }
      const buffered = this.#buffered[next - this.#first];
      if (buffered !== undefined) yield buffered.event;
    }
  }

  #wakeAll(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const resolve of waiting) resolve();
  }
}

/** Returns an ID for a new execution: its time, and chance. */
export function newExecutionId(): string {
  return `exec_${Date.now().toString(16).padStart(12, '0')}${randomHex(16)}`;
}
