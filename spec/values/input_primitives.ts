//# title = "an input may be any JSON"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"]]
//# result = '[5,"a",[1],false,null]'
return [await tools.demo.echo(5), await tools.demo.echo("a"), await tools.demo.echo([1]), await tools.demo.echo(false), await tools.demo.echo(NaN)];
