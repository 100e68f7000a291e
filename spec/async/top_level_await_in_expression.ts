//# title = "await stands inside of expressions at the top"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"]]
//# result = '3'
return (await tools.demo.echo({ n: 1 })).n + (await tools.demo.echo({ n: 2 })).n;
