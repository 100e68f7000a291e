const { items } = await tools.crm.customers.list({ limit: 100 });
const asOf = new Date("2025-02-01T00:00:00Z");

const monthsBetween = (from: Date, to: Date) =>
  (to.getUTCFullYear() - from.getUTCFullYear()) * 12 +
  (to.getUTCMonth() - from.getUTCMonth()) -
  (to.getUTCDate() < from.getUTCDate() ? 1 : 0);

const cohorts: Record<string, string[]> = {};
for (const { id, createdAt } of items) {
  const created = new Date(createdAt);
  const key = `${created.getUTCFullYear()}-Q${Math.floor(created.getUTCMonth() / 3) + 1}`;
  (cohorts[key] ??= []).push(`${id}:${monthsBetween(created, asOf)}`);
}
return Object.keys(cohorts).sort().map((quarter) => ({ quarter, members: cohorts[quarter] }));
