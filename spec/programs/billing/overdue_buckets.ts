const AS_OF = "2025-02-15";
const daysLate = (due: string) => Math.max(0, Math.round((Date.parse(AS_OF) - Date.parse(due)) / 864e5));

const unpaid = (await Promise.all(["open", "overdue"].map((status) => tools.billing.invoices.list({ status, limit: 50 }))))
  .flatMap((p) => p.data);

const buckets: Record<"current" | "1-30" | "31-60" | ">60", string[]> = { current: [], "1-30": [], "31-60": [], ">60": [] };
for (const invoice of unpaid) {
  const late = daysLate(invoice.due);
  switch (true) {
    case late === 0:
      buckets.current.push(invoice.id);
      break;
    case late <= 30:
      buckets["1-30"].push(`${invoice.id} (${late})`);
      break;
    case late <= 60:
      buckets["31-60"].push(`${invoice.id} (${late})`);
      break;
    default:
      buckets[">60"].push(invoice.id);
  }
}
return buckets;
