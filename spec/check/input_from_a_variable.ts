//# title = "nothing is said about a value that is not written in the call"
//# tools = "demo"
//# [expect]
//# result = '1'
//# calls = [["demo.echo", "applied"], ["demo.wait", "applied"]]
const ms = await tools.demo.echo(1);
return (await tools.demo.wait({ ms })).waited;
