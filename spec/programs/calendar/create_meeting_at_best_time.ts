const participants = ["emp_02", "emp_05", "emp_01"];
const all = await tools.calendar.events.list({});
const busy = all.filter((e) => e.attendees.some((a) => participants.includes(a)));
const candidates = Array.from({ length: 8 }, (_, i) => Date.UTC(2025, 1, 3, 8 + i));
const free = candidates.find((start) => {
  const end = start + 3_600_000;
  return busy.every((e) => Date.parse(e.end) <= start || Date.parse(e.start) >= end);
});
if (free === undefined) return { created: false };
const event = await tools.calendar.events.create({ title: "Sync", start: new Date(free), end: new Date(free + 3_600_000), attendees: participants });
return { created: true, event };
