//# title = "a person is asked where it cannot be decided whether the rule is about the input"
//# tools = "demo"
//# approver = "no"
//# policy = [{ tools = "demo.echo", when = { pattern = "^a{1,500}b" }, require = "approval" }]
//# [expect]
//# result = '["APPROVAL_DENIED","c"]'
//# calls = [["demo.echo", "denied"], ["demo.echo", "applied"]]
return [await tools.demo.echo("a".repeat(900_000)).catch((error) => error.code), await tools.demo.echo("c")];
