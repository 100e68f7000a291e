class RingBuffer<T> implements Iterable<T> {
  #items: (T | undefined)[];
  #head = 0;
  #size = 0;
  constructor(readonly capacity: number) {
    this.#items = new Array(capacity);
  }
  push(item: T) {
    this.#items[(this.#head + this.#size) % this.capacity] = item;
    if (this.#size < this.capacity) this.#size++;
    else this.#head = (this.#head + 1) % this.capacity;
  }
  *[Symbol.iterator](): Iterator<T> {
    for (let i = 0; i < this.#size; i++) yield this.#items[(this.#head + i) % this.capacity] as T;
  }
  get [Symbol.toStringTag]() {
    return `Ring(${this.#size}/${this.capacity})`;
  }
}
const ring = new RingBuffer<string>(3);
for (const { line } of await tools.logs.search({})) ring.push(line.split(" ")[0]);
return { tail: [...ring], tag: String(ring), max: Math.max(...Array.from(ring, (t) => Date.parse(t))) };
