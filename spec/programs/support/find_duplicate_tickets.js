const tokens = (s) => new Set(s.toLowerCase().replace(/log in/g, 'login').replace(/[^a-z\s]/g, '').split(/\s+/).filter((w) => w.length > 2));
const jaccard = (a, b) => { const i = a.intersection(b).size; return i / (a.size + b.size - i); };
const tickets = await tools.support.tickets.list({});
const pairs = [];
tickets.forEach((a, i) => tickets.slice(i + 1).forEach((b) => {
  const score = jaccard(tokens(a.subject), tokens(b.subject));
  if (score >= 0.4) pairs.push({ a: a.id, b: b.id, score: Number(score.toFixed(2)) });
}));
const merged = await Promise.all(pairs.map(({ a, b }) => tools.support.tickets.update({ id: b, mergedInto: a })));
return { pairs, merged };
