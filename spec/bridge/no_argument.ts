//# title = "a call without an argument passes an empty object"
//# tools = "demo"
//# [expect]
//# result = '[{},{},null,0,false,""]'
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"]]
const all = [];
all.push(await tools.demo.echo());
all.push(await tools.demo.echo(undefined));
all.push(await tools.demo.echo(null));
all.push(await tools.demo.echo(0));
all.push(await tools.demo.echo(false));
all.push(await tools.demo.echo(""));
return all;
