function timeAgo(date, now) {
  const s = Math.floor((now - date) / 1000);
  const steps = { year: 31536000, month: 2592000, week: 604800, day: 86400, hour: 3600, minute: 60 };
  for (const unit in steps) {
    const n = Math.floor(s / steps[unit]);
    if (n >= 1) return n + ' ' + unit + (n === 1 ? '' : 's') + ' ago';
  }
  return s < 0 ? 'in the future' : 'just now';
}
const now = new Date('2025-02-01T00:00:00Z');
const repos = await tools.github.repos.list();
return repos.map(({ name, pushedAt }) => `${name}: ${timeAgo(new Date(pushedAt), now)}`);
