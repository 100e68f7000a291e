const events = await tools.calendar.events.list({ calendar: "sales" });
const formatter = new Intl.DateTimeFormat("en-US", { timeZone: "America/Mexico_City", year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", hour12: false });
return events.map((e) => {
  const parts = Object.fromEntries(formatter.formatToParts(new Date(e.start)).filter((p) => p.type !== "literal").map((p) => [p.type, p.value]));
  return `${parts.year}-${parts.month}-${parts.day} ${parts.hour}:${parts.minute} ${e.title}`;
});
