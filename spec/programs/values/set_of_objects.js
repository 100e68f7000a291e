const issues = await tools.github.issues.list({ repo: 'web' });
const labels = new Set(issues.flatMap((i) => i.labels));
return { labels, first: new Set([issues[0]]).size, entries: new Map([[{ key: 1 }, 'object key'], ['plain', new Map([[1, new Set('aab')]])]]) };
