// Match payments with invoices and list discrepancies.
const invoices = (await tools.billing.invoices.list({ limit: 100 })).data;
const payments = await tools.billing.payments.list({});

const cents = (x: number) => Math.round(x * 100);
const expected = new Map<string, number>(
  invoices.map((i) => [i.id, i.lines.reduce((s, l) => s + cents(l.qty * l.unit * (1 + l.tax)), 0)]),
);
const received = new Map<string, number>();
const orphans: string[] = [];
for (const p of payments) {
  if (!expected.has(p.invoiceId)) orphans.push(p.id);
  else received.set(p.invoiceId, (received.get(p.invoiceId) ?? 0) + cents(p.amount));
}
const report = [...expected]
  .map(([id, due]) => ({ id, due, got: received.get(id) ?? 0 }))
  .map((r) => ({ ...r, state: r.got === r.due ? "settled" : r.got === 0 ? "unpaid" : r.got < r.due ? "partial" : "overpaid" }));
return { report, orphans };
