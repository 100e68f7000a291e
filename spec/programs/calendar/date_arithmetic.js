const d = new Date(2024, 0, 31, 12, 30);            // local time is UTC here
const clone = new Date(d);
clone.setMonth(1);                                   // Feb 31 -> Mar 2
const lastDay = (y, m) => new Date(y, m + 1, 0).getDate();
const events = await tools.calendar.events.list({ calendar: 'team' });
return {
  overflow: clone.toISOString(),
  lastDays: [0, 1, 2, 3].map((m) => lastDay(2024, m)),
  leap: [1900, 2000, 2023, 2024].map((y) => new Date(Date.UTC(y, 1, 29)).getUTCMonth() === 1),
  dayOfYear: Math.floor((Date.UTC(2025, 11, 31) - Date.UTC(2025, 0, 0)) / 864e5),
  string: d.toString(),
  date: d.toDateString(),
  offset: d.getTimezoneOffset(),
  primitive: [`${+d}`, typeof (d - 1), typeof (d + 1)],
  starts: events.map((e) => new Date(e.start).getHours()),
};
