const { data } = await tools.billing.invoices.list({ limit: 100 });
const { rates } = await tools.billing.rates.get({ base: 'EUR' });
const byMonth = {};
data.filter(i => i.status !== 'void').forEach(i => {
  const month = i.issued.slice(0, 7);
  const net = i.lines.map(l => l.qty * l.unit).reduce((a, b) => a + b, 0) / rates[i.currency];
  byMonth[month] = (byMonth[month] || 0) + net;
});
const months = Object.keys(byMonth).sort();
let running = 0;
return months.map((m, i) => {
  running += byMonth[m];
  const prev = byMonth[months[i - 1]];
  return {
    month: m,
    net: byMonth[m].toFixed(2),
    growth: prev ? ((byMonth[m] / prev - 1) * 100).toFixed(1) + '%' : 'n/a',
    running: Math.round(running)
  };
});
