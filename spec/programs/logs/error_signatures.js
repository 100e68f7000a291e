const errors = await tools.logs.search({ level: 'error' });
const signature = (line) => line
  .replace(/^\S+\s+/, '')
  .replace(/\bip=\S+/g, 'ip=<ip>')
  .replace(/\breq=[0-9a-f]+/g, 'req=<id>')
  .replace(/\d+ms/g, '<n>ms')
  .replace(/(?<=job=[a-z]+-)\d+/g, '<n>');
const counts = errors.reduce((m, { line }) => {
  const s = signature(line);
  return m.set(s, (m.get(s) ?? 0) + 1);
}, new Map());
return Array.from(counts, ([pattern, count]) => ({ pattern, count })).sort((a, b) => b.count - a.count);
