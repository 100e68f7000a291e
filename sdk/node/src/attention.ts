// Takes the messages of the native part. While an answer is awaited, this thread looks for messages for a moment, in place of waiting for
// the operating system to wake it: for a short program or a quick tool, the waking is most of the time. Everything else on the event loop
// goes on between two looks.

import type { Message, NativeEngine } from './native';

/** How long this thread looks for a message, in milliseconds. One look is shorter: `native/bridge.rs` has its length. */
const WINDOW = 0.3;
/** Looks that found a message, less those that did not. Without credit, only every so many requests are tried. */
const MAX_CREDIT = 8;
const TRY_EVERY = 32;
/** The maximum number of messages in a row. Then other work of the event loop comes first. */
const MAX_MESSAGES = 256;

// Tests replace the globals.
const now = performance.now.bind(performance);
const soon = setImmediate;

/** Whether looking was worth it lately, in this thread. */
let credit = MAX_CREDIT;
let asked = 0;

export class Attention {
  readonly #native: NativeEngine;
  readonly #receive: (message: Message) => void;
  readonly #look = (): void => this.#lookOnce();
  #until = 0;
  #isLooking = false;

  /** `receive` must not throw. */
  constructor(native: NativeEngine, receive: (message: Message) => void) {
    this.#native = native;
    this.#receive = receive;
  }

  /** Starts to look, because a message is awaited. */
  attend(): void {
    if (credit === 0 && ++asked % TRY_EVERY !== 0) return;
    this.#until = now() + WINDOW;
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#native.watch(true);
    soon(this.#look);
  }

  /** Takes all messages that are there. */
  takeAll(): void {
    this.#takeFrom(this.#native.take());
  }

  #takeFrom(first: Message | null): void {
    let message = first;
    for (let count = 1; message !== null; count++) {
      this.#found();
      this.#receive(message);
      if (count === MAX_MESSAGES) {
        soon(() => this.takeAll());
        return;
      }
      message = this.#native.take();
    }
  }

  #lookOnce(): void {
    this.#takeFrom(this.#native.glance());
    if (now() < this.#until) {
      soon(this.#look);
      return;
    }
    this.#isLooking = false;
    if (this.#until !== 0) credit = Math.max(credit - 1, 0);
    this.#native.watch(false);
    this.takeAll();
  }

  /** Ends the look: there is a message. */
  #found(): void {
    if (!this.#isLooking || this.#until === 0) return;
    this.#until = 0;
    credit = Math.min(credit + 1, MAX_CREDIT);
  }
}
