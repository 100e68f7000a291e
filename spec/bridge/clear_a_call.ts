//# title = "clearTimeout with the number of a tool call changes nothing"
//# tools = "demo"
//# [expect]
//# result = '[1,2]'
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"]]
const calls = [tools.demo.echo(1), tools.demo.echo(2)];
for (let id = -2; id < 10; id++) clearTimeout(id);
clearTimeout(NaN);
clearTimeout(1e99);
clearTimeout("1" as any);
clearTimeout(undefined);
return Promise.all(calls);
