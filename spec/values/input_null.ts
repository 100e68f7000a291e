//# title = "null as an input is null"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"]]
//# result = '[null]'
return [await tools.demo.echo(null)];
