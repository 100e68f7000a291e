const { items } = await tools.analytics.events.list({ limit: 100 });
const day = (ts) => new Date(ts).toISOString().slice(0, 10);
const firstSeen = {};
for (const e of items) firstSeen[e.userId] = firstSeen[e.userId] && firstSeen[e.userId] < day(e.ts) ? firstSeen[e.userId] : day(e.ts);
const cohorts = {};
for (const e of items) {
  const c = firstSeen[e.userId];
  const offset = (Date.parse(day(e.ts)) - Date.parse(c)) / 86400000;
  ((cohorts[c] ||= {})[offset] ||= new Set()).add(e.userId);
}
return Object.fromEntries(Object.entries(cohorts).map(([c, offs]) => [c, Object.fromEntries(Object.entries(offs).map(([o, users]) => [`day ${o}`, users.size]))]));
