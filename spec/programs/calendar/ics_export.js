const pad = (n) => String(n).padStart(2, '0');
const stamp = (iso) => {
  const d = new Date(iso);
  return `${d.getUTCFullYear()}${pad(d.getUTCMonth() + 1)}${pad(d.getUTCDate())}T${pad(d.getUTCHours())}${pad(d.getUTCMinutes())}00Z`;
};
const fold = (line) => line.match(/.{1,60}/gsu).join('\r\n ');
const esc = (s) => s.replace(/([\\;,])/g, '\\$1').replace(/\n/g, '\\n');

const events = await tools.calendar.events.list({ calendar: 'team' });
const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0'];
for (const e of events) {
  lines.push('BEGIN:VEVENT', `UID:${e.id}@isobox.example`, `DTSTART:${stamp(e.start)}`, `DTEND:${stamp(e.end)}`,
    fold(`SUMMARY:${esc(e.title)} with ${e.attendees.join(', ')} and everybody else who wants to join`));
  if (e.location) lines.push(`LOCATION:${esc(e.location)}`);
  lines.push('END:VEVENT');
}
lines.push('END:VCALENDAR');
return lines;
