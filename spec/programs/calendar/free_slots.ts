interface Slot { start: Date; end: Date }
const MINUTE = 60_000;

function freeSlots(busy: Slot[], day: Slot, minMinutes: number): Slot[] {
  const free: Slot[] = [];
  let cursor = day.start.getTime();
  for (const { start, end } of [...busy].sort((a, b) => +a.start - +b.start)) {
    if (+start - cursor >= minMinutes * MINUTE) free.push({ start: new Date(cursor), end: start });
    cursor = Math.max(cursor, +end);
  }
  if (+day.end - cursor >= minMinutes * MINUTE) free.push({ start: new Date(cursor), end: day.end });
  return free;
}

const events = await tools.calendar.events.list({ calendar: "team" });
const busy = events.filter((e) => e.start.startsWith("2025-02-03")).map((e) => ({ start: new Date(e.start), end: new Date(e.end) }));
return freeSlots(busy, { start: new Date("2025-02-03T08:00Z"), end: new Date("2025-02-03T17:00Z") }, 45);
