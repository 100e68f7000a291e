const [products, { data: orders }] = await Promise.all([
  tools.inventory.products.list({}),
  tools.orders.list({ limit: 100 }),
]);
const price = new Map<string, number>(products.map((p) => [p.sku, p.price]));

const ltv = orders
  .filter((o) => o.status !== "cancelled")
  .reduce((map, { customerId, items }) => {
    const value = items.reduce((s, { sku, qty }) => s + (price.get(sku) ?? NaN) * qty, 0);
    return map.set(customerId, (map.get(customerId) ?? 0) + value);
  }, new Map<string, number>());

// NaN becomes null in JSON on purpose
return Object.fromEntries([...ltv].map(([id, v]) => [id, Math.round(v * 100) / 100]));
