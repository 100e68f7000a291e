//# title = "a promise that goes elsewhere may be awaited there"
//# tools = "demo"
//# [expect]
//# result = '[1,2]'
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"]]
const all: Promise<unknown>[] = [];
for (const number of [1, 2]) all.push(tools.demo.echo(number));
return await Promise.all(all);
