// Timers. The host knows only timers that fire once: an interval sets the next one when its callback has run.

const SHORTEST_INTERVAL = 1;

/** The number of programs that ended in this context. Timers of those are gone, and their numbers are used again. */
let era = 0;

let startTimer;
let startInterval;
let stopTimer;

class Timeout {
  #arguments; // of the host's function: callback, delay, and what the callback gets
  #number = 0; // that of the host, or 0 before the first
  #isStopped = false;
  #repeats = false;
  #isHeld = true; // whether the program waits for it when it has returned
  #era = era;

  static {
    startTimer = (values) => {
      const timer = new Timeout();
      timer.#arguments = values;
      timer.#start();
      return timer;
    };
    startInterval = (callback, delay, values) => {
      const timer = new Timeout();
      timer.#repeats = true;
      timer.#arguments = [() => {
        const number = timer.#number;
        callWith(callback, values);
        if (!timer.#isStopped && timer.#number === number) timer.#start(); // unless the callback has, by refresh()
      }, delay];
      timer.#start();
      return timer;
    };
    stopTimer = (timer) => {
      if (!isObject(timer)) return hostClearTimeout(typeof timer === "string" ? Number(timer) : timer);
      if (!(#number in timer)) return;
      if (timer.#era === era) hostClearTimeout(timer.#number);
      timer.#isStopped = true;
    };
  }

  #start() {
    this.#number = apply(hostSetTimeout, undefined, this.#arguments);
    if (this.#repeats || !this.#isHeld) hostHoldTimeout(this.#number, false);
  }

  ref() { return this.#hold(true); }
  unref() { return this.#hold(false); }
  hasRef() { return this.#isHeld; }
  #hold(isHeld) {
    this.#isHeld = isHeld;
    if (this.#era === era) hostHoldTimeout(this.#number, isHeld && !this.#repeats);
    return this;
  }
  close() {
    stopTimer(this);
    return this;
  }
  refresh() {
    if (this.#isStopped || this.#number === 0 || this.#era !== era) return this;
    hostClearTimeout(this.#number);
    this.#start();
    return this;
  }
  [Symbol.toPrimitive]() { return this.#number; }
  [Symbol.dispose]() { stopTimer(this); }
}

/** Calls a function without a receiver. Without arguments nothing else appears on its stack. */
function callWith(callback, values) {
  if (values.length === 0) callback();
  else apply(callback, undefined, values);
}

function setTimeout(callback, delay) {
  requireCallback(callback, "setTimeout");
  return startTimer(arguments);
}

function setInterval(callback, delay, ...values) {
  requireCallback(callback, "setInterval");
  const milliseconds = Number(delay);
  return startInterval(callback, milliseconds >= SHORTEST_INTERVAL ? milliseconds : SHORTEST_INTERVAL, values);
}

function setImmediate(callback, ...values) {
  requireCallback(callback, "setImmediate");
  const list = [callback, 0];
  for (let at = 0; at < values.length; at++) defineValue(list, at + 2, values[at], true);
  return startTimer(list);
}

function clearTimeout(timer) { stopTimer(timer); }
function clearInterval(timer) { stopTimer(timer); }
function clearImmediate(timer) { stopTimer(timer); }

function requireCallback(callback, name) {
  if (typeof callback !== "function") throw new TypeError(name + " takes a function");
}

// `process.nextTick`: before promises that are settled in the same turn, after those of the turn before.

let ticks = [];

function nextTick(callback, ...values) {
  requireCallback(callback, "process.nextTick");
  if (ticks.length === 0) wakeTicks();
  defineValue(ticks, ticks.length, { callback, values }, true);
}

/** Called by the shim. Stops at a callback that throws, which ends the program. */
function runTicks() {
  for (let at = 0; at < ticks.length; at++) callWith(ticks[at].callback, ticks[at].values);
  ticks = [];
}

function abortError(signal) {
  const error = new Error("The operation was aborted", { cause: signal.reason });
  defineValue(error, "name", "AbortError", true);
  defineValue(error, "code", "ABORT_ERR", true);
  return error;
}
