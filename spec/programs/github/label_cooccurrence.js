async function main() {
  const issues = await tools.github.issues.list({});
  const pairs = new Map();
  for (const { labels } of issues) {
    const sorted = [...labels].sort();
    for (let i = 0; i < sorted.length; i++) {
      for (let j = i + 1; j < sorted.length; j++) {
        const key = sorted[i] + "+" + sorted[j];
        pairs.set(key, (pairs.get(key) || 0) + 1);
      }
    }
  }
  return Object.fromEntries([...pairs.entries()].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])));
}

return await main();
