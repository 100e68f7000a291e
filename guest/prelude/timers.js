// Timers. The host knows only timers that fire once: an interval sets the next one when its callback has run.

const SHORTEST_INTERVAL = 1;

let startTimer;
let stopTimer;

class Timeout {
  #callback;
  #values;
  #delay;
  #repeats;
  #isHeld = true; // whether the program waits for it when it has returned
  #number = 0; // that of the host, or 0 where no timer is set

  static {
    startTimer = (callback, delay, values, repeats) => {
      const timer = new Timeout();
      timer.#callback = callback;
      timer.#values = values;
      timer.#delay = delay;
      timer.#repeats = repeats;
      timer.#start();
      return timer;
    };
    stopTimer = (timer) => {
      if (!isObject(timer)) return hostClearTimeout(typeof timer === "string" ? Number(timer) : timer);
      if (!(#number in timer)) return;
      hostClearTimeout(timer.#number);
      timer.#number = 0;
      timer.#repeats = false;
    };
  }

  #start() {
    this.#number = hostSetTimeout(() => this.#fire(), this.#delay, this.#isHeld && !this.#repeats);
  }

  #fire() {
    const number = this.#number;
    if (!this.#repeats) this.#number = 0;
    apply(this.#callback, undefined, this.#values);
    if (this.#repeats && this.#number === number) this.#start();
  }

  ref() { return this.#hold(true); }
  unref() { return this.#hold(false); }
  hasRef() { return this.#isHeld; }
  #hold(isHeld) {
    this.#isHeld = isHeld;
    if (this.#number !== 0) hostHoldTimeout(this.#number, isHeld && !this.#repeats);
    return this;
  }
  close() {
    stopTimer(this);
    return this;
  }
  refresh() {
    if (this.#number !== 0) {
      hostClearTimeout(this.#number);
      this.#start();
    }
    return this;
  }
  [Symbol.toPrimitive]() { return this.#number; }
  [Symbol.dispose]() { stopTimer(this); }
}

function setTimeout(callback, delay, ...values) {
  requireCallback(callback, "setTimeout");
  return startTimer(callback, delay, values, false);
}

function setInterval(callback, delay, ...values) {
  requireCallback(callback, "setInterval");
  const milliseconds = Number(delay);
  return startTimer(callback, milliseconds >= SHORTEST_INTERVAL ? milliseconds : SHORTEST_INTERVAL, values, true);
}

function setImmediate(callback, ...values) {
  requireCallback(callback, "setImmediate");
  return startTimer(callback, 0, values, false);
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
  for (let at = 0; at < ticks.length; at++) apply(ticks[at].callback, undefined, ticks[at].values);
  ticks = [];
}

function abortError(signal) {
  const error = new Error("The operation was aborted", { cause: signal.reason });
  defineValue(error, "name", "AbortError", true);
  defineValue(error, "code", "ABORT_ERR", true);
  return error;
}
