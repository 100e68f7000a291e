class TokenBucket {
  private tokens: number;
  private last = 0;
  constructor(private readonly capacity: number, private readonly perSecond: number) {
    this.tokens = capacity;
  }
  /** Returns how many milliseconds the caller has to wait. */
  take(now: number): number {
    this.tokens = Math.min(this.capacity, this.tokens + ((now - this.last) / 1000) * this.perSecond);
    this.last = now;
    if (this.tokens >= 1) {
      this.tokens -= 1;
      return 0;
    }
    return Math.ceil(((1 - this.tokens) / this.perSecond) * 1000);
  }
}
const bucket = new TokenBucket(3, 2);
const { items } = await tools.analytics.events.list({ limit: 8 });
const t0 = items[0].ts;
const simulated = [0, 10, 20, 30, 600, 650, 2000, 2001].map((t) => bucket.take(t));
return { simulated, spread: items.map((e) => e.ts - t0) };
