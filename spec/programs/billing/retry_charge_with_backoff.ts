const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function withRetry<T>(fn: () => Promise<T>, { retries = 5, baseMs = 5, factor = 2 } = {}): Promise<{ value: T; attempts: number; delays: number[] }> {
  const delays: number[] = [];
  for (let attempt = 1; ; attempt++) {
    try {
      return { value: await fn(), attempts: attempt, delays };
    } catch (error) {
      if (attempt > retries || !/^5\d\d/.test((error as Error).message)) throw error;
      const delay = baseMs * factor ** (attempt - 1);
      delays.push(delay);
      console.warn(`attempt ${attempt} failed: ${(error as Error).message}; retrying in ${delay} ms`);
      await sleep(delay);
    }
  }
}

return await withRetry(() => tools.billing.charge({ customerId: "cus_001", amount: 100 }));
