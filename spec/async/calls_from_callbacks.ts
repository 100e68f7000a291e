//# title = "calls may be made in callbacks of every kind"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"]]
//# result = '["timer","microtask","map","then"]'
const results: unknown[] = [];
await new Promise<void>((resolve) => setTimeout(async () => { results.push((await tools.demo.echo({ from: "timer" })).from); resolve(); }, 1));
await new Promise<void>((resolve) => queueMicrotask(async () => { results.push((await tools.demo.echo({ from: "microtask" })).from); resolve(); }));
results.push(...await Promise.all(["map"].map(async (from) => (await tools.demo.echo({ from })).from)));
results.push((await Promise.resolve("then").then((from) => tools.demo.echo({ from }))).from);
return results;
