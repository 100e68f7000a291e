class Mutex {
  #tail: Promise<void> = Promise.resolve();
  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(task);
    this.#tail = result.then(() => undefined, () => undefined);
    return result;
  }
}
const mutex = new Mutex();
const log: string[] = [];
const jobs = ["primary", "cache", "offline", "replica"].map((source) =>
  mutex.run(async () => {
    log.push(`start ${source}`);
    const { version } = await tools.mirror.fetch({ source });
    log.push(`end ${source}`);
    return version as number;
  }),
);
const settled = await Promise.allSettled(jobs);
return { log, settled };
