const LINE = /^(?<time>\S+)\s+(?<level>[A-Z]+)\s+\[(?<service>\w+)\]\s+(?<message>.*)$/;
const HTTP = /^(?<method>GET|POST|PUT|DELETE) (?<path>\S+) (?<status>\d{3}) (?<ms>\d+)ms/;

const raw = await tools.logs.search({});
const parsed = raw.map(({ line }) => {
  const groups = line.match(LINE)?.groups;
  if (!groups) throw new Error(`cannot parse: ${line}`);
  const http = groups.message.match(HTTP)?.groups;
  return { ...groups, http: http ? { ...http, status: Number(http.status), ms: Number(http.ms) } : undefined };
});
const requests = parsed.filter((p) => p.http).map((p) => p.http!);
return {
  total: parsed.length,
  levels: parsed.reduce((acc, { level }) => ({ ...acc, [level]: (acc[level] || 0) + 1 }), {} as Record<string, number>),
  slowest: requests.toSorted((a, b) => b.ms - a.ms)[0],
  errorRate: `${((requests.filter((r) => r.status >= 500).length / requests.length) * 100).toFixed(1)}%`,
};
