/* Calcula cuántas unidades pedir de cada producto según la demanda */
interface Pedido { sku: string; unidades: number; coste: number }
const [productos, { data: ordenes }] = await Promise.all([tools.inventory.products.list({}), tools.orders.list({ limit: 100 })]);
const demanda = new Map<string, number>();
for (const { sku, qty } of ordenes.flatMap((o) => o.items)) demanda.set(sku, (demanda.get(sku) ?? 0) + qty);

const pedidos: Pedido[] = productos
  .filter((p) => !p.discontinued && demanda.has(p.sku))
  .map((p) => {
    const existencias = Object.values<number>(p.stock).reduce((a, b) => a + b, 0);
    const unidades = Math.max(0, Math.ceil(demanda.get(p.sku)! * 1.5) - existencias);
    return { sku: p.sku, unidades, coste: Math.round(unidades * p.cost * 100) / 100 };
  })
  .filter(({ unidades }) => unidades > 0)
  .sort((a, b) => b.coste - a.coste);

const total = pedidos.reduce((s, { coste }) => s + coste, 0);
console.info(`Coste total: ${total.toFixed(2)} €`);
return { pedidos, total };
