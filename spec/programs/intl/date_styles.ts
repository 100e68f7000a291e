const [event] = await tools.calendar.events.list({ calendar: "sales" });
const date = new Date(event.start);
const options: Intl.DateTimeFormatOptions = { timeZone: "UTC" };
return {
  plain: date.toLocaleDateString("en-US"),
  british: date.toLocaleDateString("en-GB", options),
  german: date.toLocaleDateString("de-DE", { ...options, year: "numeric", month: "long", day: "numeric", weekday: "long" }),
  short: date.toLocaleDateString("en-US", { month: "short", day: "numeric" }),
  full: new Intl.DateTimeFormat("fr-FR", { dateStyle: "full", timeZone: "UTC" }).format(date),
  time: date.toLocaleTimeString("en-US", { hour: "numeric", minute: "2-digit", timeZone: "America/New_York", timeZoneName: "short" }),
  iso: new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone: "Europe/Stockholm" }).format(date),
  month: Array.from({ length: 3 }, (_, m) => new Date(Date.UTC(2025, m, 1)).toLocaleString("es", { month: "long", timeZone: "UTC" })),
  range: new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" }).formatRange(date, new Date(event.end)),
};
