const orders: any[] = [];
for (let offset = 0, more = true; more; ) {
  const page = await tools.orders.list({ offset });
  orders.push(...page.data);
  ({ hasMore: more } = page);
  offset = orders.length;
}
const pairs: Record<string, number> = {};
for (const { items, status } of orders) {
  if (status === "cancelled") continue;
  const skus: string[] = items.map((i: any) => i.sku).sort();
  skus.forEach((a, i) => skus.slice(i + 1).forEach((b) => (pairs[`${a}|${b}`] = (pairs[`${a}|${b}`] ?? 0) + 1)));
}
return { orders: orders.length, pairs };
