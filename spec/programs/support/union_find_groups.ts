// Group tickets that share a tag, directly or indirectly
class UnionFind<T> {
  private parent = new Map<T, T>();
  find(x: T): T {
    const p = this.parent.get(x) ?? x;
    if (p === x) return x;
    const root = this.find(p);
    this.parent.set(x, root);
    return root;
  }
  union(a: T, b: T) { const [x, y] = [this.find(a), this.find(b)]; if (x !== y) this.parent.set(y, x); }
}
const tickets = await tools.support.tickets.list({});
const groups = new UnionFind<string>();
const byTag: Record<string, string> = {};
for (const { id, tags } of tickets) for (const tag of tags) byTag[tag] === undefined ? (byTag[tag] = id) : groups.union(byTag[tag], id);
return Object.values(Object.groupBy(tickets.map((t) => t.id), (id) => groups.find(id)));
