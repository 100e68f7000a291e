const lines = await tools.logs.search({ service: "api" });
const times = lines.map(({ line }) => Date.parse(line.slice(0, 24)));

class SlidingWindow {
  private stamps: number[] = [];
  constructor(private readonly windowMs: number, private readonly max: number) {}
  tryAcquire(now: number): boolean {
    while (this.stamps.length && this.stamps[0] <= now - this.windowMs) this.stamps.shift();
    if (this.stamps.length >= this.max) return false;
    this.stamps.push(now);
    return true;
  }
}
const limiter = new SlidingWindow(3_000, 2);
return times.map((t) => ({ at: new Date(t).toISOString().slice(11, 23), allowed: limiter.tryAcquire(t) }));
