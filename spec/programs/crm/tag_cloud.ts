```ts
// Count tags, some customers don't have any
const { items } = await tools.crm.customers.list({ limit: 100 });
const counts = new Map<string, number>();
for (const customer of items) {
  for (const tag of customer.tags ?? []) {
    counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
}
const sorted = new Map([...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)));
return sorted;
```
