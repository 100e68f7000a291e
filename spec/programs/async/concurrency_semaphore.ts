class Semaphore {
  #waiting: (() => void)[] = [];
  #free: number;
  constructor(permits: number) { this.#free = permits; }
  async acquire(): Promise<() => void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let released = false;
    return () => {
      if (released) return;
      released = true;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    };
  }
}

const semaphore = new Semaphore(2);
const log: string[] = [];
let running = 0;
let peak = 0;
await Promise.all(
  ["replica", "cache", "primary", "cache"].map(async (source, i) => {
    const release = await semaphore.acquire();
    running++;
    peak = Math.max(peak, running);
    try {
      const { version } = await tools.mirror.fetch({ source });
      log.push(`${i}:${version}`);
    } finally {
      running--;
      release();
    }
  }),
);
return { peak, log: log.sort() };
