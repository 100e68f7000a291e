const slugify = s => s.toString().normalize('NFKD').replace(/[\u0300-\u036f]/g, '').toLowerCase().trim().replace(/\s+/g, '-').replace(/[^\w-]+/g, '').replace(/--+/g, '-');
const excerpt = (s, n) => s.length <= n ? s : s.slice(0, s.lastIndexOf(' ', n)) + '…';
const issues = await tools.github.issues.list({});
const used = new Map();
const unique = (slug) => { const n = used.get(slug) ?? 0; used.set(slug, n + 1); return n ? `${slug}-${n}` : slug; };
return issues.slice(0, 4).concat(issues.slice(0, 1), { title: 'Ünïcödé ﬁne Ⅳ ½' }).map(({ title }) => ({ slug: unique(slugify(title)), short: excerpt(title, 20) }));
