//# title = "a condition is decided for a long text as for a short one"
//# tools = "demo"
//# policy = [{ tools = "demo.echo", when = { pattern = "^([a-z]+ ?)+drop +table" }, deny = true }]
//# [expect]
//# result = '["FORBIDDEN",800000]'
//# calls = [["demo.echo", "failed"], ["demo.echo", "applied"]]
const long = "ab ".repeat(200_000);
const denied = await tools.demo.echo(`${long}drop  table users`).catch((error) => error.code);
return [denied, (await tools.demo.echo("a".repeat(800_000))).length];
