//# title = "a call never throws where it is made: what is wrong is a rejection"
//# tools = "demo"
//# limits = { calls = 1, input = 20 }
//# [expect]
//# result = '["CALL_LIMIT","INPUT_TOO_LARGE","SERIALIZATION","INVALID_INPUT"]'
//# calls = [["demo.echo", "applied"]]
const made = [tools.demo.echo(1), tools.demo.echo(2), tools.demo.echo("x".repeat(30)), tools.demo.echo(1n), tools.demo.echo(1, 2)];
return (await Promise.allSettled(made)).slice(1).map((one: any) => one.reason.code);
