const { data } = await tools.orders.list({ limit: 100 });
function* lines(orders) {
  for (const order of orders) for (const item of order.items) yield { ...item, order: order.id };
}
const big = lines(data)
  .filter((l) => l.qty >= 5)
  .map((l) => `${l.order}/${l.sku}×${l.qty}`)
  .take(4)
  .toArray();
const total = lines(data).reduce((n, l) => n + l.qty, 0);
const firstCable = lines(data).find((l) => l.sku.startsWith('CB'));
return { big, total, firstCable, someUnknown: lines(data).some((l) => l.sku === 'XX-999') };
