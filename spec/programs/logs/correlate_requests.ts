const lines: { line: string }[] = await tools.logs.search({});
const fields = (line: string) => Object.fromEntries([...line.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g)].map(([, k, quoted, bare]) => [k, quoted ?? bare]));
const byIp = new Map<string, { requests: number; errors: number; ids: string[] }>();
for (const { line } of lines) {
  const { ip, req, err } = fields(line);
  if (!ip) continue;
  const entry = byIp.get(ip) ?? byIp.set(ip, { requests: 0, errors: 0, ids: [] }).get(ip)!;
  entry.requests += 1;
  entry.errors += err ? 1 : 0;
  entry.ids.push(req);
}
const isPrivate = (ip: string) => /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(ip);
return [...byIp].map(([ip, e]) => ({ ip, ...e, private: isPrivate(ip), v6: ip.includes(":") }));
