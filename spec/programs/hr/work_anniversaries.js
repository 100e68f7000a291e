const employees = await tools.hr.employees.list({});
const onDay = (y, m, d) => new Date(Date.UTC(y, m - 1, d));
const asOf = onDay(2025, 2, 28);

return employees.map((e) => {
  const [y, m, d] = e.startDate.split('-').map((s) => parseInt(s, 10));
  let years = asOf.getUTCFullYear() - y;
  if (onDay(2025, m, d) > asOf) years -= 1;
  const suffix = ['th', 'st', 'nd', 'rd'][(years % 100 > 10 && years % 100 < 14) ? 0 : years % 10] || 'th';
  return `${e.name}: ${years}${suffix} year, next on ${onDay(asOf.getUTCFullYear() + (onDay(2025, m, d) > asOf ? 0 : 1), m, d).toISOString().substring(0, 10)}`;
});
