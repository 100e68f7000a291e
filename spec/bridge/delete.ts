//# title = "deleting below tools changes nothing"
//# tools = "demo"
//# [expect]
//# result = '[true,1]'
//# calls = [["demo.echo", "applied"]]
return [delete (tools as any).demo, await tools.demo.echo(1)];
