//# title = "a call counts towards a rate where it cannot be decided whether the rate is about it"
//# tools = "demo"
//# policy = [{ tools = "demo.echo", when = { pattern = "^a{1,500}b" }, rate = 1 }]
//# [expect]
//# result = '[900000,"CALL_LIMIT","c"]'
//# calls = [["demo.echo", "applied"], ["demo.echo", "failed"], ["demo.echo", "applied"]]
const long = "a".repeat(900_000);
return [(await tools.demo.echo(long)).length, await tools.demo.echo("aab").catch((error) => error.code), await tools.demo.echo("c")];
