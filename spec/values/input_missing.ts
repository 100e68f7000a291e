//# title = "a tool that is called without an argument gets an empty object"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"]]
//# result = '[{},{}]'
return [await tools.demo.echo(), await tools.demo.echo(undefined)];
