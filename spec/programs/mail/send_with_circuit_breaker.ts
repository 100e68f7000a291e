enum Circuit { Closed, Open, HalfOpen }
class CircuitBreaker {
  state = Circuit.Closed;
  private failures = 0;
  constructor(private threshold: number) {}
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.state === Circuit.Open) {
      this.state = Circuit.HalfOpen;
      throw new Error("circuit is open");
    }
    try {
      const value = await task();
      this.failures = 0;
      this.state = Circuit.Closed;
      return value;
    } catch (error) {
      if (++this.failures >= this.threshold || this.state === Circuit.HalfOpen) this.state = Circuit.Open;
      throw error;
    }
  }
}
const breaker = new CircuitBreaker(2);
const trail: string[] = [];
for (let i = 0; i < 4; i++) {
  try {
    const { status } = await breaker.run(() => tools.billing.charge({ n: 1 }));
    trail.push(status);
  } catch (e: any) {
    trail.push(`${e.message} [${Circuit[breaker.state]}]`);
  }
}
return trail;
