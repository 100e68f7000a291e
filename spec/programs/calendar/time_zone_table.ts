const [launch] = (await tools.calendar.events.list({})).filter((e) => e.title.includes("Launch"));
const zones = ["America/Los_Angeles", "America/New_York", "Europe/London", "Europe/Berlin", "Asia/Kolkata", "Asia/Tokyo", "Australia/Sydney"];
const when = new Date(launch.start);
const after = new Date(launch.end);

const format = (d: Date, timeZone: string) =>
  d.toLocaleTimeString("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" });

// The event crosses the start of daylight saving time in Europe
return zones.map((zone) => `${zone.split("/")[1].replace("_", " ")}: ${format(when, zone)}–${format(after, zone)}`);
