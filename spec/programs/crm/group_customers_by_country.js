const { items } = await tools.crm.customers.list({ limit: 50 });

const grouped = Object.groupBy(items, (c) => c.country);
const summary = Object.entries(grouped)
  .map(([country, list]) => ({ country, count: list.length, names: list.map((c) => c.name) }))
  .sort((a, b) => b.count - a.count || a.country.localeCompare(b.country));

return summary;
