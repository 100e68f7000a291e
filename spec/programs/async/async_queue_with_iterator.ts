class AsyncQueue<T> implements AsyncIterable<T> {
  private values: T[] = [];
  private waiters: ((r: IteratorResult<T>) => void)[] = [];
  private closed = false;

  push(value: T) {
    const waiter = this.waiters.shift();
    if (waiter) waiter({ value, done: false });
    else this.values.push(value);
  }
  close() {
    this.closed = true;
    for (const waiter of this.waiters.splice(0)) waiter({ value: undefined, done: true });
  }
  [Symbol.asyncIterator](): AsyncIterator<T> {
    return {
      next: () => {
        if (this.values.length) return Promise.resolve({ value: this.values.shift()!, done: false });
        if (this.closed) return Promise.resolve({ value: undefined, done: true });
        return new Promise((resolve) => this.waiters.push(resolve));
      },
    };
  }
}

const queue = new AsyncQueue<string>();
const producer = (async () => {
  for (const city of ["Berlin", "Tokyo"]) {
    const { days } = await tools.weather.forecast({ city });
    for (const d of days) queue.push(`${city} ${d.date} ${d.sky}`);
  }
  queue.close();
})();
const consumed: string[] = [];
for await (const item of queue) consumed.push(item);
await producer;
return consumed;
