class RetryError extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = 'RetryError';
  }
}

async function retry(fn, times) {
  let last;
  for (let i = 0; i < times; i++) {
    try {
      return await fn();
    } catch (e) {
      last = e;
    }
  }
  throw new RetryError(`gave up after ${times} attempts`, { cause: last });
}

try {
  await retry(() => tools.billing.charge({ amount: 5 }), 2);
} catch (e) {
  return { name: e.name, message: e.message, cause: e.cause.message, code: e.cause.code, isError: e instanceof Error };
}
