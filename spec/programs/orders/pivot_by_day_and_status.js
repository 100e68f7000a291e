const { data } = await tools.orders.list({ limit: 100 });
const days = [...new Set(data.map(o => o.placedAt.split('T')[0]))].sort();
const statuses = ['pending', 'shipped', 'cancelled'];
const pivot = days.map(day => {
  const row = { day };
  statuses.forEach(s => { row[s] = data.filter(o => o.placedAt.startsWith(day) && o.status === s).length; });
  row.total = statuses.reduce((n, s) => n + row[s], 0);
  return row;
});
const footer = Object.fromEntries(statuses.map(s => [s, pivot.reduce((n, r) => n + r[s], 0)]));
return [...pivot, { day: 'total', ...footer }];
