const LEXICON = new Map(Object.entries({ broken: -2, missing: -1, urgent: -2, thank: 2, best: 1, wrong: -2, cannot: -1, please: 0.5 }));
const messages = await tools.mail.messages.list({ folder: 'inbox' });
const scored = messages.map(({ id, subject, body }) => {
  const words = `${subject} ${body}`.toLowerCase().match(/\b[a-z']+\b/g) || [];
  const hits = words.map((w) => [w, LEXICON.get(w)]).filter(([, s]) => s !== undefined);
  const score = hits.reduce((n, [, s]) => n + s, 0);
  return { id, score, mood: score < -1 ? '😠' : score > 1 ? '😀' : '😐', hits: hits.map(([w]) => w) };
});
return scored.sort((a, b) => a.score - b.score);
