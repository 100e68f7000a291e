const files = (await tools.files.list({})).filter((f) => /\.(md|txt)$/.test(f.path));
const terms = (s: string) => s.toLowerCase().match(/[a-zà-ÿ0-9]+/g) ?? [];
const docs = files.map((f) => ({ path: f.path, tf: terms(f.content).reduce((m, t) => m.set(t, (m.get(t) ?? 0) + 1), new Map<string, number>()), length: terms(f.content).length }));
const average = docs.reduce((s, d) => s + d.length, 0) / docs.length;
const [k1, b] = [1.2, 0.75];
const idf = (t: string) => { const n = docs.filter((d) => d.tf.has(t)).length; return Math.log(1 + (docs.length - n + 0.5) / (n + 0.5)); };
const search = (query: string) =>
  docs
    .map((d) => ({ path: d.path, score: terms(query).reduce((s, t) => { const f = d.tf.get(t) ?? 0; return s + (idf(t) * f * (k1 + 1)) / (f + k1 * (1 - b + (b * d.length) / average)); }, 0) }))
    .filter((r) => r.score > 0)
    .sort((x, y) => y.score - x.score)
    .map((r) => `${r.path} ${r.score.toFixed(4)}`);
return { fox: search("quick fox"), added: search("pagination added"), none: search("zebra") };
