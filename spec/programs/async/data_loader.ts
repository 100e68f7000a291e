// Facebook-style DataLoader: batches lookups of one tick
class DataLoader<K, V> {
  private queue: { key: K; resolve: (v: V) => void; reject: (e: unknown) => void }[] = [];
  private readonly cache = new Map<K, Promise<V>>();
  batches: K[][] = [];
  constructor(private readonly load: (keys: K[]) => Promise<(V | Error)[]>) {}

  get(key: K): Promise<V> {
    let cached = this.cache.get(key);
    if (!cached) {
      cached = new Promise<V>((resolve, reject) => {
        if (this.queue.push({ key, resolve, reject }) === 1) queueMicrotask(() => this.dispatch());
      });
      this.cache.set(key, cached);
    }
    return cached;
  }
  private async dispatch() {
    const batch = this.queue;
    this.queue = [];
    this.batches.push(batch.map((b) => b.key));
    const values = await this.load(batch.map((b) => b.key));
    batch.forEach((b, i) => (values[i] instanceof Error ? b.reject(values[i]) : b.resolve(values[i] as V)));
  }
}
const employees = new DataLoader<string, any>(async (ids) => {
  const all = await tools.hr.employees.list({});
  return ids.map((id) => all.find((e) => e.id === id) ?? new Error(`no employee ${id}`));
});
const names = await Promise.all(["emp_01", "emp_02", "emp_01", "emp_99"].map((id) => employees.get(id).then((e) => e.name, (e) => e.message)));
const later = (await employees.get("emp_02")).name;
return { names, later, batches: employees.batches };
