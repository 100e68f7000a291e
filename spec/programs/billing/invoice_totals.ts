interface Line { sku: string; qty: number; unit: number; tax: number }
interface Invoice { id: string; currency: string; lines: Line[] }

const round = (n: number, digits = 2) => Math.round((n + Number.EPSILON) * 10 ** digits) / 10 ** digits;

let offset = 0;
const invoices: Invoice[] = [];
while (true) {
  const page = await tools.billing.invoices.list({ offset });
  invoices.push(...page.data);
  if (!page.hasMore) break;
  offset += page.data.length;
}

return invoices.map(({ id, currency, lines }) => {
  const net = lines.reduce((s, l) => s + l.qty * l.unit, 0);
  const tax = lines.reduce((s, l) => s + l.qty * l.unit * l.tax, 0);
  return { id, currency, net: round(net), tax: round(tax), gross: round(net + tax, currency === "JPY" ? 0 : 2) };
});
