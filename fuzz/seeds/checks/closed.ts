{"type":"object","properties":{"id":{"type":"integer"},"kind":{"enum":["a","b"]},"list":{"type":"array","items":{"$ref":"#"}}},"required":["id"],"additionalProperties":false}
const r = await tools.a({ id: 1, kind: "c" });
for (const x of [1, 2]) await github.issues.list({ id: x, list: [{ id: "no" }, ...y], extra: true });
const { kind, nothing } = await tools.a({ id: `${r.kind}` }, 2);
tools.denied({ id: 1 });
const p = tools.a({ id: 2 });
async function main() { return [p.id, r.list[0].nme, await tools.a.b.c(), await tools.missing()] }
await main()
