//# title = "answers that are there together are delivered in order before the program goes on"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"]]
//# result = '["one","two","one, later"]'
const seen: string[] = [];
const one = tools.demo.echo({}).then(() => { seen.push("one"); return Promise.resolve().then(() => seen.push("one, later")); });
const two = tools.demo.echo({}).then(() => seen.push("two"));
await Promise.all([one, two]);
return seen;
