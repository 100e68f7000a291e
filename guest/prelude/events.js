// Event, EventTarget, AbortController, AbortSignal. There is no tree of targets, so an event has one target and no path.

let dispatch;

class Event {
  #type;
  #options;
  #target = null;
  #currentTarget = null;
  #isCanceled = false;
  #isStopped = false;
  #isPassive = false;
  #isTrusted = false;
  #cancelBubble = false;

  static {
    dispatch = (event, target, listeners, isTrusted) => {
      if (event.#currentTarget) throw new DOMException("The event is already being dispatched", "InvalidStateError");
      event.#isTrusted = isTrusted;
      event.#target = target;
      event.#currentTarget = target;
      for (const listener of [...listeners]) {
        if (event.#isStopped) break;
        if (listener.isRemoved || listener.type !== event.#type) continue;
        if (listener.once) removeListener(listeners, listener);
        event.#isPassive = listener.passive;
        callListener(listener.callback, target, event);
      }
      event.#isPassive = event.#isStopped = event.#cancelBubble = false;
      event.#currentTarget = null;
      return !event.#isCanceled;
    };
  }

  constructor(type, options = undefined) {
    requireArguments(arguments.length, 1, "Event");
    this.#type = `${type}`;
    this.#options = {
      bubbles: !!options?.bubbles,
      cancelable: !!options?.cancelable,
      composed: !!options?.composed,
    };
  }

  get type() { return this.#type; }
  get target() { return this.#target; }
  get srcElement() { return this.#target; }
  get currentTarget() { return this.#currentTarget; }
  get bubbles() { return this.#options.bubbles; }
  get cancelable() { return this.#options.cancelable; }
  get composed() { return this.#options.composed; }
  get defaultPrevented() { return this.#isCanceled; }
  get returnValue() { return !this.#isCanceled; }
  set returnValue(value) { if (!value) this.preventDefault(); }
  get cancelBubble() { return this.#cancelBubble; }
  set cancelBubble(value) { if (value) this.#cancelBubble = true; }
  get eventPhase() { return this.#currentTarget ? Event.AT_TARGET : Event.NONE; }
  get isTrusted() { return this.#isTrusted; }
  get timeStamp() { return 0; }

  composedPath() { return this.#currentTarget ? [this.#currentTarget] : []; }
  preventDefault() { if (this.#options.cancelable && !this.#isPassive) this.#isCanceled = true; }
  stopPropagation() { this.#cancelBubble = true; }
  stopImmediatePropagation() { this.#cancelBubble = this.#isStopped = true; }
}
for (const owner of [Event, Event.prototype]) {
  for (const [phase, key] of ["NONE", "CAPTURING_PHASE", "AT_TARGET", "BUBBLING_PHASE"].entries()) {
    defineProperty(owner, key, { value: phase, enumerable: true });
  }
}
tagPrototype(Event, "Event");

class CustomEvent extends Event {
  #detail;
  constructor(type, options = undefined) {
    super(type, options);
    this.#detail = options?.detail ?? null;
  }
  get detail() { return this.#detail; }
}
tagPrototype(CustomEvent, "CustomEvent");

function removeListener(listeners, listener) {
  listener.isRemoved = true;
  listeners.splice(listeners.indexOf(listener), 1);
}

/** Reports an error in a listener. The caller of `dispatchEvent` does not get it. */
function callListener(callback, target, event) {
  try {
    if (typeof callback === "function") apply(callback, target, [event]);
    else callback.handleEvent(event);
  } catch (error) {
    logValues(LEVELS.error, ["Uncaught", error]);
  }
}

let fire;

class EventTarget {
  #listeners = [];

  static {
    fire = (target, event) => dispatch(event, target, target.#listeners, true);
  }

  addEventListener(type, callback, options = undefined) {
    requireArguments(arguments.length, 2, "addEventListener");
    const { capture, once, passive, signal } = listenerOptions(options);
    if (signal !== undefined && !(signal instanceof AbortSignal)) throw new TypeError("signal is not an AbortSignal");
    if (signal?.aborted || callback === null || callback === undefined) return;
    if (!isObject(callback)) throw new TypeError("an event listener is a function or an object");
    type = `${type}`;
    if (this.#find(type, callback, capture)) return;
    const listener = { type, callback, capture, once, passive, isRemoved: false };
    this.#listeners.push(listener);
    signal?.addEventListener("abort", () => {
      if (!listener.isRemoved) removeListener(this.#listeners, listener);
    }, { once: true });
  }

  removeEventListener(type, callback, options = undefined) {
    requireArguments(arguments.length, 2, "removeEventListener");
    const listener = this.#find(`${type}`, callback, listenerOptions(options).capture);
    if (listener) removeListener(this.#listeners, listener);
  }

  dispatchEvent(event) {
    if (!(event instanceof Event)) throw new TypeError("dispatchEvent takes an Event");
    return dispatch(event, this, this.#listeners, false);
  }

  #find(type, callback, capture) {
    return this.#listeners.find((one) => one.type === type && one.callback === callback && one.capture === capture);
  }
}
tagPrototype(EventTarget, "EventTarget");

function listenerOptions(options) {
  if (!isObject(options)) return { capture: !!options, once: false, passive: false, signal: undefined };
  return { capture: !!options.capture, once: !!options.once, passive: !!options.passive, signal: options.signal };
}

const CONSTRUCT = Symbol();
let newSignal;
let abort;

class AbortSignal extends EventTarget {
  #isAborted = false;
  #reason = undefined;
  #onabort = null;
  #listener = null;
  #sources = []; // of a signal made by any(): signals that are not themselves made by it
  #dependents = [];

  static {
    newSignal = () => new AbortSignal(CONSTRUCT);
    abort = (signal, reason) => {
      if (signal.#isAborted) return;
      // All of them are aborted before the first listener can look.
      const aborted = [signal, ...signal.#dependents.filter((one) => !one.#isAborted)];
      for (const one of aborted) {
        one.#isAborted = true;
        one.#reason = reason === undefined ? new DOMException("This operation was aborted", "AbortError") : reason;
        reason = one.#reason;
      }
      for (const one of aborted) fire(one, new Event("abort"));
    };
  }

  constructor(key) {
    if (key !== CONSTRUCT) throw new TypeError("Illegal constructor: use new AbortController()");
    super();
  }

  static abort(reason = undefined) {
    const signal = newSignal();
    abort(signal, reason);
    return signal;
  }

  static timeout(milliseconds) {
    requireArguments(arguments.length, 1, "AbortSignal.timeout");
    const delay = Number(milliseconds);
    if (!(delay >= 0 && delay <= 2 ** 53)) throw new RangeError("AbortSignal.timeout takes milliseconds");
    const signal = newSignal();
    // No program waits for it, as in Node.
    setTimeout(() => {
      abort(signal, new DOMException("The operation was aborted due to timeout", "TimeoutError"));
    }, delay).unref();
    return signal;
  }

  static any(signals) {
    requireArguments(arguments.length, 1, "AbortSignal.any");
    const all = [...signals];
    if (!all.every((one) => isObject(one) && #isAborted in one)) throw new TypeError("any takes a list of AbortSignals");
    const signal = newSignal();
    const first = all.find((one) => one.#isAborted);
    if (first) {
      signal.#isAborted = true;
      signal.#reason = first.#reason;
      return signal;
    }
    signal.#sources = [...new Set(all.flatMap((one) => one.#sources.length > 0 ? one.#sources : [one]))];
    for (const source of signal.#sources) source.#dependents.push(signal);
    return signal;
  }

  get aborted() { return this.#isAborted; }
  get reason() { return this.#reason; }
  get onabort() { return this.#onabort; }
  set onabort(handler) {
    this.#onabort = isObject(handler) ? handler : null;
    if (this.#listener) return;
    this.#listener = (event) => {
      if (typeof this.#onabort === "function") apply(this.#onabort, this, [event]);
    };
    this.addEventListener("abort", this.#listener);
  }

  throwIfAborted() {
    if (this.#isAborted) throw this.#reason;
  }
}
tagPrototype(AbortSignal, "AbortSignal");

class AbortController {
  #signal = newSignal();
  get signal() { return this.#signal; }
  abort(reason = undefined) { abort(this.#signal, reason); }
}
tagPrototype(AbortController, "AbortController");

for (const constructor of [Event, CustomEvent, EventTarget, AbortController]) CLONERS.set(constructor.prototype, refused);
mapSet(RENDERERS, AbortSignal.prototype, (out, value) => write(out, `AbortSignal {"aborted":${value.aborted}}`));
