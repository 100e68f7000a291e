const { content } = await tools.files.read({ path: "logs/access.log" });
const re = /^(\S+) \S+ (\S+) \[([^\]]+)\] "([A-Z]+) ([^"\s]+) HTTP\/[\d.]+" (\d{3}) (\d+|-) "([^"]*)" "([^"]*)"$/;
const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

function parseDate(text: string): Date {
  const [, d, mon, y, h, mi, s, sign, oh, om] = /(\d+)\/(\w+)\/(\d+):(\d+):(\d+):(\d+) ([+-])(\d\d)(\d\d)/.exec(text)!;
  const utc = Date.UTC(+y, months.indexOf(mon), +d, +h, +mi, +s);
  return new Date(utc - (sign === "+" ? 1 : -1) * (+oh * 60 + +om) * 60_000);
}

const entries: any[] = [];
let malformed = 0;
for (const line of content.trim().split(/\r?\n/)) {
  const m = re.exec(line);
  if (!m) { malformed++; continue; }
  const [, ip, user, date, method, url, status, bytes, , agent] = m;
  const { pathname, searchParams } = new URL(url, "http://localhost");
  entries.push({ ip, user: user === "-" ? null : user, at: parseDate(date), method, pathname, query: Object.fromEntries(searchParams), status: +status, bytes: +bytes || 0, mobile: /iPhone|Android/.test(agent) });
}
return { malformed, bytes: entries.reduce((n, e) => n + e.bytes, 0), entries };
