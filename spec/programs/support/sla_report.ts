const TARGET: Record<string, number> = { urgent: 15, high: 60, medium: 240, low: 1440 };
const NOW = Date.parse("2025-01-30T12:00:00Z");
const tickets = await tools.support.tickets.list({});
const report = tickets.map((t) => {
  const waited = Math.round(((t.firstReplyAt ? Date.parse(t.firstReplyAt) : NOW) - Date.parse(t.createdAt)) / 60_000);
  return { id: t.id, waited, target: TARGET[t.priority], breached: waited > TARGET[t.priority], pending: !t.firstReplyAt || undefined };
});
const breached = report.filter(({ breached }) => breached);
console.warn("SLA breached: " + breached.map((b) => `${b.id} (+${b.waited - b.target} min)`).join(", "));
return { report, compliance: `${(100 * (1 - breached.length / report.length)).toFixed(0)} %` };
