class PriorityQueue<T> {
  #heap: { priority: number; seq: number; value: T }[] = [];
  #seq = 0;
  get size() { return this.#heap.length; }
  push(value: T, priority: number): void {
    const h = this.#heap;
    h.push({ priority, seq: this.#seq++, value });
    let i = h.length - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!this.#less(i, parent)) break;
      [h[i], h[parent]] = [h[parent], h[i]];
      i = parent;
    }
  }
  pop(): T | undefined {
    const h = this.#heap;
    if (h.length === 0) return undefined;
    const top = h[0];
    const last = h.pop()!;
    if (h.length) {
      h[0] = last;
      let i = 0;
      for (;;) {
        let smallest = i;
        for (const child of [2 * i + 1, 2 * i + 2]) if (child < h.length && this.#less(child, smallest)) smallest = child;
        if (smallest === i) break;
        [h[i], h[smallest]] = [h[smallest], h[i]];
        i = smallest;
      }
    }
    return top.value;
  }
  #less(a: number, b: number): boolean {
    const x = this.#heap[a], y = this.#heap[b];
    return x.priority < y.priority || (x.priority === y.priority && x.seq < y.seq);
  }
}

const priorities = { urgent: 0, high: 1, medium: 2, low: 3 } as const;
const queue = new PriorityQueue<string>();
for (const t of await tools.support.tickets.list({})) queue.push(t.id, priorities[t.priority as keyof typeof priorities]);
const order: string[] = [];
while (queue.size) order.push(queue.pop()!);
return order;
