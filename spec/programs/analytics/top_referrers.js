let all = [], next;
do {
  const { items, nextCursor } = await tools.analytics.events.list({ cursor: next ?? undefined, type: 'page_view' });
  all = all.concat(items);
  next = nextCursor;
} while (next);
const refs = all.reduce((acc, { props: { ref = '(direct)' } }) => {
  acc[ref] = ++acc[ref] || 1;
  return acc;
}, {});
return Object.entries(refs).sort(([, a], [, b]) => b - a).map(([ref, n]) => `${ref}: ${n} (${(n / all.length * 100).toFixed(0)}%)`);
