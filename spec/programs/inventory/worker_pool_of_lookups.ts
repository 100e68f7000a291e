async function mapPool<T, R>(items: readonly T[], limit: number, worker: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  let active = 0;
  let peak = 0;
  const run = async () => {
    while (next < items.length) {
      const index = next++;
      peak = Math.max(peak, ++active);
      try {
        results[index] = await worker(items[index], index);
      } finally {
        active--;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, run));
  console.log(`peak concurrency: ${peak}`);
  return results;
}

const skus = ["KB-100", "MS-200", "nope", "MN-270", "CB-C01"];
return mapPool(skus, 2, async (sku, i) => {
  try {
    const p = await tools.inventory.products.get({ sku });
    return `${i}:${p.name}`;
  } catch (e) {
    return `${i}:${(e as Error).message}`;
  }
});
