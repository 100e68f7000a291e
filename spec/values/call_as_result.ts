//# title = "a call that is returned without await is awaited"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"]]
//# result = '{"a":1}'
return tools.demo.echo({ a: 1 });
