// Which UTC hours are inside 9-17 local time for everybody in Engineering?
const team = await tools.hr.employees.list({ department: "Engineering" });

const localHour = (utcHour: number, timeZone: string): number => {
  const text = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", hourCycle: "h23" }).format(new Date(Date.UTC(2025, 0, 15, utcHour)));
  return Number(text);
};

const table = Array.from({ length: 24 }, (_, hour) => ({
  hour,
  awake: team.filter((e) => { const h = localHour(hour, e.timeZone); return h >= 9 && h < 17; }).map((e) => e.name),
})).filter((row) => row.awake.length > 0);

const best = table.reduce((a, b) => (b.awake.length > a.awake.length ? b : a));
return { best, hours: table.map((r) => [r.hour, r.awake.length]) };
