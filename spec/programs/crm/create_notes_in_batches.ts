class Batcher<T> {
  private batch: T[] = [];
  readonly flushed: T[][] = [];

  constructor(private readonly size: number, private readonly onFlush: (items: T[]) => Promise<void>) {}

  async add(item: T): Promise<void> {
    this.batch.push(item);
    if (this.batch.length >= this.size) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.batch.length === 0) return;
    const items = this.batch;
    this.batch = [];
    this.flushed.push(items);
    await this.onFlush(items);
  }
}

const written: string[] = [];
const batcher = new Batcher<{ customerId: string; text: string }>(3, async (notes) => {
  const answers = await Promise.all(notes.map((note) => tools.crm.notes.create(note)));
  written.push(...answers.map((answer) => answer.customerId));
});

const { items } = await tools.crm.customers.list({ tier: "pro", limit: 10 });
for (const c of items) await batcher.add({ customerId: c.id, text: `Follow up with ${c.name}` });
await batcher.flush();

return { batches: batcher.flushed.map((b) => b.length), written };
