const events = await tools.calendar.events.list({});
const minutes = (iso) => { const d = new Date(iso); return d.getUTCDate() * 1440 + d.getUTCHours() * 60 + d.getUTCMinutes(); };
const intervals = events.filter((e) => e.start < '2025-03').map((e) => [minutes(e.start), minutes(e.end)]).sort(([a], [b]) => a - b);
const merged = intervals.reduce((out, [s, e]) => {
  const last = out[out.length - 1];
  if (last && s <= last[1]) last[1] = Math.max(last[1], e);
  else out.push([s, e]);
  return out;
}, []);
return { merged, busy: merged.reduce((n, [s, e]) => n + e - s, 0), gaps: merged.slice(1).map(([s], i) => s - merged[i][1]) };
