// node:events.

const ERROR_MONITOR = Symbol("events.errorMonitor");

/** The listeners of an emitter, by event: kept in a property of the emitter, which a subclass may have made. */
function eventsOf(emitter) {
  if (!hasOwn(emitter, "_events")) defineValue(emitter, "_events", new Map(), false);
  return emitter._events;
}

function EventEmitter() {}

Object.assign(EventEmitter.prototype, {
  on(name, listener) { return addEmitterListener(this, name, listener, listener, false); },
  prependListener(name, listener) { return addEmitterListener(this, name, listener, listener, true); },
  once(name, listener) { return addEmitterListener(this, name, onceOf(this, name, listener), listener, false); },
  prependOnceListener(name, listener) {
    return addEmitterListener(this, name, onceOf(this, name, listener), listener, true);
  },

  off(name, listener) {
    requireListener(listener);
    const listeners = eventsOf(this).get(name) ?? [];
    const at = listeners.findLastIndex((one) => one === listener || one.listener === listener);
    if (at < 0) return this;
    const rest = listeners.toSpliced(at, 1);
    if (rest.length > 0) eventsOf(this).set(name, rest);
    else eventsOf(this).delete(name);
    if (this.listenerCount("removeListener") > 0) this.emit("removeListener", name, listener);
    return this;
  },

  removeAllListeners(name) {
    if (arguments.length === 0) eventsOf(this).clear();
    else eventsOf(this).delete(name);
    return this;
  },

  emit(name, ...values) {
    if (name === "error") {
      if (this.listenerCount(ERROR_MONITOR) > 0) this.emit(ERROR_MONITOR, ...values);
      if (this.listenerCount("error") === 0) throw unhandledEvent(values[0]);
    }
    const listeners = eventsOf(this).get(name);
    if (listeners === undefined) return false;
    for (const listener of [...listeners]) apply(listener, this, values);
    return true;
  },

  listenerCount(name, listener) {
    const listeners = eventsOf(this).get(name) ?? [];
    return listener === undefined ? listeners.length
      : listeners.filter((one) => one === listener || one.listener === listener).length;
  },
  listeners(name) { return (eventsOf(this).get(name) ?? []).map((one) => one.listener ?? one); },
  rawListeners(name) { return [...eventsOf(this).get(name) ?? []]; },
  eventNames() { return [...eventsOf(this).keys()]; },
  setMaxListeners() { return this; },
  getMaxListeners() { return EventEmitter.defaultMaxListeners; },
});
EventEmitter.prototype.addListener = EventEmitter.prototype.on;
EventEmitter.prototype.removeListener = EventEmitter.prototype.off;

function requireListener(listener) {
  if (typeof listener !== "function") throw wrongType("listener", "of type function", listener);
}

function addEmitterListener(emitter, name, added, listener, isFirst) {
  requireListener(listener);
  if (emitter.listenerCount("newListener") > 0) emitter.emit("newListener", name, listener);
  const listeners = eventsOf(emitter).get(name) ?? [];
  eventsOf(emitter).set(name, isFirst ? [added, ...listeners] : [...listeners, added]);
  return emitter;
}

function onceOf(emitter, name, listener) {
  requireListener(listener);
  const once = function (...values) {
    emitter.off(name, once);
    return apply(listener, emitter, values);
  };
  once.listener = listener;
  return once;
}

function unhandledEvent(error) {
  if (isErrorLike(error)) return error;
  const unhandled = nodeError(Error, "ERR_UNHANDLED_ERROR", `Unhandled error. (${inspect(error)})`);
  unhandled.context = error;
  return unhandled;
}

/** The next event of an emitter or an event target, as a promise of its values. */
function onceEvent(emitter, name, options) {
  return new Promise((resolve, reject) => {
    const signal = options?.signal;
    if (signal?.aborted) return reject(abortError(signal));
    const isTarget = emitter instanceof EventTarget;
    const add = (event, listener) => isTarget ? emitter.addEventListener(event, listener) : emitter.once(event, listener);
    const remove = (event, listener) => isTarget ? emitter.removeEventListener(event, listener)
      : emitter.off(event, listener);
    const end = () => {
      remove(name, onEvent);
      if (!isTarget && name !== "error") remove("error", onError);
      signal?.removeEventListener("abort", onAbort);
    };
    const onEvent = (...values) => {
      end();
      resolve(values);
    };
    const onError = (error) => {
      end();
      reject(error);
    };
    const onAbort = () => onError(abortError(signal));
    add(name, onEvent);
    if (!isTarget && name !== "error") add("error", onError);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** The events of an emitter or an event target from now on, as an async iterator of their values. */
function iterateEvents(emitter, name, options) {
  const signal = options?.signal;
  if (signal?.aborted) throw abortError(signal);
  const isTarget = emitter instanceof EventTarget;
  const came = []; // events that nothing has asked for
  const asked = []; // what has asked for events that have not come
  let failure;
  let isOver = false;
  const onEvent = (...values) => {
    if (asked.length > 0) asked.shift().resolve({ value: values, done: false });
    else came.push(values);
  };
  const end = () => {
    if (isOver) return;
    isOver = true;
    for (const [event, listener] of listeners) {
      if (isTarget) emitter.removeEventListener(event, listener);
      else emitter.off(event, listener);
    }
    signal?.removeEventListener("abort", onAbort);
    for (const { resolve } of asked.splice(0)) resolve({ value: undefined, done: true });
  };
  const onError = (error) => {
    if (asked.length > 0) asked.shift().reject(error);
    else failure = { error };
    end();
  };
  const onAbort = () => onError(abortError(signal));
  const listeners = [[name, onEvent], ...!isTarget && name !== "error" ? [["error", onError]] : [],
    ...(options?.close ?? []).map((event) => [event, end])];
  for (const [event, listener] of listeners) {
    if (isTarget) emitter.addEventListener(event, listener);
    else emitter.on(event, listener);
  }
  signal?.addEventListener("abort", onAbort, { once: true });
  return {
    next() {
      if (came.length > 0) return Promise.resolve({ value: came.shift(), done: false });
      if (failure !== undefined) {
        const { error } = failure;
        failure = undefined;
        return Promise.reject(error);
      }
      if (isOver) return Promise.resolve({ value: undefined, done: true });
      return new Promise((resolve, reject) => { asked.push({ resolve, reject }); });
    },
    return() {
      came.length = 0;
      end();
      return Promise.resolve({ value: undefined, done: true });
    },
    throw(error) {
      onError(error);
      return Promise.resolve({ value: undefined, done: true });
    },
    [Symbol.asyncIterator]() { return this; },
  };
}

Object.assign(EventEmitter, {
  EventEmitter, once: onceEvent, on: iterateEvents, defaultMaxListeners: 10, errorMonitor: ERROR_MONITOR,
  listenerCount: (emitter, name) => emitter.listenerCount(name),
});
