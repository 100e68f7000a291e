const events = await tools.calendar.events.list({});
const sorted = events
  .map((e) => ({ ...e, from: Date.parse(e.start), to: Date.parse(e.end) }))
  .sort((a, b) => a.from - b.from);

const conflicts: Array<{ person: string; a: string; b: string; minutes: number }> = [];
for (let i = 0; i < sorted.length; i++) {
  for (let j = i + 1; j < sorted.length && sorted[j].from < sorted[i].to; j++) {
    for (const person of sorted[i].attendees.filter((p) => sorted[j].attendees.includes(p))) {
      conflicts.push({ person, a: sorted[i].title, b: sorted[j].title, minutes: (Math.min(sorted[i].to, sorted[j].to) - sorted[j].from) / 60000 });
    }
  }
}
return conflicts;
