async function poll<T>(fn: () => Promise<T>, done: (value: T) => boolean, { interval = 5, max = 10 } = {}): Promise<{ value: T; polls: number }> {
  for (let polls = 1; polls <= max; polls++) {
    const value = await fn();
    if (done(value)) return { value, polls };
    await new Promise((r) => setTimeout(r, interval));
  }
  throw new Error("gave up polling");
}
let state = 0;
return await poll(
  async () => {
    try {
      return await tools.billing.charge({ job: "export" });
    } catch {
      return { status: `pending ${++state}` };
    }
  },
  (v) => v.status === "succeeded",
);
