//# title = "a condition that takes too long for an input decides against the call: what denies applies, what allows does not"
//# tools = "demo"
//# policy = [{ tools = "demo.echo", when = { pattern = "^a{1,500}b" }, allow = true }, { tools = "demo.echo", when = { pattern = "^a{1,500}b" }, deny = "no such text" }]
//# [expect]
//# result = '["aab",["FORBIDDEN","the policy forbids this call of `demo.echo`: rule 2 (`demo.echo`) denies it: no such text (whether this input fits its `when` cannot be decided)"],"c"]'
//# calls = [["demo.echo", "applied"], ["demo.echo", "failed"], ["demo.echo", "applied"]]
const both = (error) => [error.code, error.message];
return [await tools.demo.echo("aab"), await tools.demo.echo("a".repeat(900_000)).catch(both), await tools.demo.echo("c")];
