// Add business days, skipping weekends and holidays
const HOLIDAYS = new Set(['2025-04-18', '2025-04-21', '2025-05-01']);
const isBusinessDay = (d) => ![0, 6].includes(d.getUTCDay()) && !HOLIDAYS.has(d.toISOString().slice(0, 10));
function addBusinessDays(date, n) {
  const d = new Date(date.getTime());
  const step = Math.sign(n);
  while (n !== 0) {
    d.setUTCDate(d.getUTCDate() + step);
    if (isBusinessDay(d)) n -= step;
  }
  return d;
}
const { data } = await tools.billing.invoices.list({ status: 'open', limit: 10 });
return data.map((i) => ({
  id: i.id,
  due: i.due,
  reminder: addBusinessDays(new Date(i.due), -3).toISOString().slice(0, 10),
  escalation: addBusinessDays(new Date(i.due), 52).toUTCString(),
}));
