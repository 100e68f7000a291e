type Rule = { freq: "daily" | "weekly" | "monthly"; interval?: number; count?: number; until?: string };

function* occurrences(start: Date, { freq, interval = 1, count = Infinity, until }: Rule): Generator<Date> {
  const end = until ? new Date(until) : null;
  for (let i = 0; i < count; i++) {
    const next = new Date(start);
    if (freq === "daily") next.setUTCDate(start.getUTCDate() + i * interval);
    else if (freq === "weekly") next.setUTCDate(start.getUTCDate() + 7 * i * interval);
    else next.setUTCMonth(start.getUTCMonth() + i * interval);
    if (end && next > end) return;
    yield next;
  }
}
const day = (d: Date) => d.toISOString().slice(0, 10);
const [planning] = await tools.calendar.events.list({ calendar: "team" });
return {
  weekly: Array.from(occurrences(new Date(planning.start), { freq: "weekly", interval: 2, count: 4 }), day),
  // January 31st plus one month overflows into March, as Date does
  monthly: [...occurrences(new Date("2025-01-31T00:00:00Z"), { freq: "monthly", count: 4 })].map(day),
  daily: [...occurrences(new Date("2024-02-27T00:00:00Z"), { freq: "daily", until: "2024-03-01" })].map(day),
};
