// node:timers and node:timers/promises.

/** `node:timers/promises`. */
function settleLater(timer, value, options) {
  const signal = options?.signal;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(abortError(signal));
    const onAbort = () => {
      stopTimer(pending);
      reject(abortError(signal));
    };
    const pending = timer(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve(value);
    });
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

const timersPromises = {
  setTimeout: (delay, value, options) => settleLater((settle) => setTimeout(settle, delay), value, options),
  setImmediate: (value, options) => settleLater((settle) => setImmediate(settle), value, options),
  async *setInterval(delay, value, options) {
    while (true) yield await timersPromises.setTimeout(delay, value, options);
  },
  scheduler: {
    wait: (delay, options) => timersPromises.setTimeout(delay, undefined, options),
    yield: () => timersPromises.setImmediate(),
  },
};

const timers = {
  setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate, promises: timersPromises,
};
