const commits = await tools.github.commits.list({});
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const heat = Object.fromEntries(DAYS.map((d) => [d, 0]));
for (const commit of commits) {
  const d = new Date(commit.date);
  heat[DAYS[d.getUTCDay()]]++;
}
const bars = DAYS.map((d) => `${d} ${"█".repeat(heat[d])}${"░".repeat(4 - heat[d])} ${heat[d]}`);
const first = new Date(Math.min(...commits.map((c) => +new Date(c.date))));
const last = new Date(Math.max(...commits.map((c) => +new Date(c.date))));
return { bars, first: first.toISOString(), last: last.toJSON(), sameDay: first.toDateString() === last.toDateString() };
