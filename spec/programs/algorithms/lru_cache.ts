class LruCache<K, V> {
  readonly #map = new Map<K, V>();
  hits = 0; misses = 0;
  constructor(private readonly capacity: number) {}
  async get(key: K, load: (key: K) => Promise<V>): Promise<V> {
    if (this.#map.has(key)) {
      this.hits++;
      const value = this.#map.get(key)!;
      this.#map.delete(key);
      this.#map.set(key, value);
      return value;
    }
    this.misses++;
    const value = await load(key);
    this.#map.set(key, value);
    if (this.#map.size > this.capacity) this.#map.delete(this.#map.keys().next().value!);
    return value;
  }
  get keys() { return [...this.#map.keys()]; }
}
const cache = new LruCache<string, any>(2);
for (const sku of ["KB-100", "MS-200", "KB-100", "DK-010", "MS-200"]) await cache.get(sku, (s) => tools.inventory.products.get({ sku: s }));
return { hits: cache.hits, misses: cache.misses, keys: cache.keys, cache };
