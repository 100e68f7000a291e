const events = await tools.calendar.events.list({});
const duration = (ms: number) => {
  const parts: [number, string][] = [
    [Math.floor(ms / 3_600_000), "h"],
    [Math.floor(ms / 60_000) % 60, "min"],
  ];
  return parts.filter(([n]) => n > 0).map(([n, unit]) => `${n} ${unit}`).join(" ") || "0 min";
};
const iso = (ms: number) => `PT${ms >= 36e5 ? Math.floor(ms / 36e5) + "H" : ""}${ms % 36e5 ? (ms % 36e5) / 6e4 + "M" : ""}`;
const lengths = events.map((e) => Date.parse(e.end) - Date.parse(e.start));
return { each: lengths.map(duration), iso: lengths.map(iso), total: duration(lengths.reduce((a, b) => a + b)) };
