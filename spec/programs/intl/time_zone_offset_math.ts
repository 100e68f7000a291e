function offsetMinutes(timeZone: string, date: Date): number {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat("en-US", { timeZone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" })
      .formatToParts(date)
      .map((p) => [p.type, Number(p.value)]),
  );
  return (Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second) - date.getTime()) / 60000;
}
const employees = await tools.hr.employees.list({});
const zones = [...new Set(employees.map((e) => e.timeZone))];
const winter = new Date("2025-01-15T12:00:00Z");
const summer = new Date("2025-07-15T12:00:00Z");
return Object.fromEntries(zones.map((z) => [z, [offsetMinutes(z, winter), offsetMinutes(z, summer)]]));
