//# title = "a star in the pattern of a rule stands for any text, dots included"
//# tools = "demo"
//# policy = [{ tools = "*o.e*", deny = true }]
//# [expect]
//# result = '["FORBIDDEN",{"waited":0}]'
//# calls = [["demo.echo", "failed"], ["demo.wait", "applied"]]
return [await tools.demo.echo(1).catch((error) => error.code), await tools.demo.wait({ ms: 0 })];
