-globals:fetch,set* +imports:csv -members:constructor -syntax:while,class
const gh = tools.github; const { a } = tools;
const r = await gh.issues.list({ owner: "x", ...rest, labels: ["a", b] });
while (r.items?.length) { r.items.pop(); fetch(r.constructor) }
try { await github.x() } catch (e) { if (e) return tools.nope() }
const { total } = await a.b(); const p = tools.c(); return [total, p.items]
