//# title = "what a FinalizationRegistry reports is the same in every run"
//# tools = "demo"
//# [expect]
//# result = '["a"]'
//# calls = [["demo.echo", "applied"]]
const seen: unknown[] = [];
const registry = new FinalizationRegistry((held) => { seen.push(held); });
registry.register({}, "a");
await tools.demo.echo(1);
return seen;
