/**
 * Allocates pending orders to warehouses, preferring the one with the most stock.
 */
interface Allocation { orderId: number; sku: string; from: string | null; qty: number }

const products = new Map<string, any>((await tools.inventory.products.list({})).map((p: any) => [p.sku, structuredClone(p)]));
const pending = (await tools.orders.list({ status: "pending", limit: 50 })).data;

const allocations: Allocation[] = [];
for (const order of pending) {
  for (const { sku, qty } of order.items) {
    let missing = qty;
    const stock: Record<string, number> = products.get(sku)?.stock ?? {};
    const warehouses = Object.keys(stock).sort((a, b) => stock[b] - stock[a]);
    for (const from of warehouses) {
      const take = Math.min(stock[from], missing);
      if (take === 0) continue;
      stock[from] -= take;
      missing -= take;
      allocations.push({ orderId: order.id, sku, from, qty: take });
      if (missing === 0) break;
    }
    if (missing > 0) allocations.push({ orderId: order.id, sku, from: null, qty: missing });
  }
}
return allocations;
