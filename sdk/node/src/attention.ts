// Looks for answers of the native part for a moment, in place of waiting for the operating system to wake this thread: for a short
// program or a quick tool, the waking is most of the time. Everything else on the event loop goes on between two looks.

/** How long this thread looks for an answer, in milliseconds. */
const WINDOW = 0.1;
/** Looks that found an answer, less those that did not. Without credit, only every so many requests are tried. */
const MAX_CREDIT = 8;
const TRY_EVERY = 32;

// Tests replace the globals.
const now = performance.now.bind(performance);
const soon = setImmediate;

let credit = MAX_CREDIT;
let asked = 0;
let until = 0;
let isLooking = false;

/** Starts to look, because an answer is awaited. */
export function attend(): void {
  if (credit === 0 && ++asked % TRY_EVERY !== 0) return;
  until = now() + WINDOW;
  if (isLooking) return;
  isLooking = true;
  soon(look);
}

/** Ends the look: there is an answer. */
export function attended(): void {
  if (!isLooking || until === 0) return;
  until = 0;
  credit = Math.min(credit + 1, MAX_CREDIT);
}

function look(): void {
  if (now() < until) {
    soon(look);
    return;
  }
  isLooking = false;
  if (until !== 0) credit = Math.max(credit - 1, 0);
}
