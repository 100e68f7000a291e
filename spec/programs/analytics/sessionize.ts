const GAP = 30 * 60 * 1000;
const events: any[] = [];
let cursor: string | null = "0";
while (cursor !== null) {
  const page = await tools.analytics.events.list({ cursor });
  events.push(...page.items);
  cursor = page.nextCursor;
}

const sessions: { user: string; start: string; events: number; seconds: number; paths: string[] }[] = [];
for (const [user, list] of Map.groupBy(events, (e) => e.userId)) {
  list.sort((a, b) => a.ts - b.ts);
  let current: any[] = [];
  const close = () => {
    if (!current.length) return;
    sessions.push({
      user,
      start: new Date(current[0].ts).toISOString(),
      events: current.length,
      seconds: (current.at(-1).ts - current[0].ts) / 1000,
      paths: [...new Set(current.map((e) => e.path))],
    });
    current = [];
  };
  for (const event of list) {
    if (current.length && event.ts - current.at(-1).ts > GAP) close();
    current.push(event);
  }
  close();
}
return sessions.sort((a, b) => a.start.localeCompare(b.start) || a.user.localeCompare(b.user));
