const { data } = await tools.billing.invoices.list({ limit: 100 });
const locales: Record<string, string> = { EUR: "de-DE", GBP: "en-GB", USD: "en-US", JPY: "ja-JP" };

const format = (amount: number, currency: string) =>
  new Intl.NumberFormat(locales[currency], { style: "currency", currency }).format(amount);

return data.map((invoice) => {
  const total = invoice.lines.reduce((sum, line) => sum + line.qty * line.unit * (1 + line.tax), 0);
  return `${invoice.id}: ${format(total, invoice.currency)}`;
});
