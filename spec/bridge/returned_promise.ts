//# title = "a promise as the result is awaited"
//# tools = "demo"
//# [expect]
//# result = '1'
//# calls = [["demo.echo", "applied"]]
return tools.demo.echo(1);
