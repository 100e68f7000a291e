const { items } = await tools.analytics.events.list({ limit: 1000 });
const steps = [
  ['visit', (e) => e.type === 'page_view'],
  ['pricing', (e) => e.path === '/pricing'],
  ['signup', (e) => e.type === 'signup'],
  ['purchase', (e) => e.type === 'purchase'],
];
let users = new Set(items.map((e) => e.userId));
const start = users.size;
const funnel = [];
for (const [name, test] of steps) {
  const reached = new Set(items.filter((e) => users.has(e.userId) && test(e)).map((e) => e.userId));
  funnel.push({ name, users: reached.size, rate: (reached.size / start).toLocaleString('en-US', { style: 'percent' }) });
  users = reached;
}
return funnel;
