const THRESHOLD = 5;
const products = await tools.inventory.products.list({});

type Alert = { sku: string; warehouse: string; qty: number };
const alerts: Alert[] = products.flatMap(({ sku, stock, discontinued }) =>
  discontinued
    ? []
    : Object.entries(stock as Record<string, number>)
        .filter(([, qty]) => qty < THRESHOLD)
        .map(([warehouse, qty]) => ({ sku, warehouse, qty })),
);
alerts.sort((a, b) => a.qty - b.qty || a.sku.localeCompare(b.sku) || a.warehouse.localeCompare(b.warehouse));
return { alerts, outOfStock: alerts.filter((a) => !a.qty).length };
