class HttpError extends Error {
  constructor(status, message) {
    super(message);
    this.name = 'HttpError';
    this.status = status;
    Error.captureStackTrace?.(this, HttpError);
  }
}
function outer() { return inner(); }
function inner() { throw new HttpError(404, 'no such page'); }
try {
  outer();
} catch (e) {
  const frames = e.stack.split('\n').slice(1).map((l) => /at (?:async )?([\w.<>]+)/.exec(l)?.[1]);
  return { first: e.stack.split('\n')[0], functions: frames.slice(0, 2), json: JSON.stringify(e), keys: Object.keys(e), status: e.status, plain: new Error('x').stack.split('\n')[0] };
}
