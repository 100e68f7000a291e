//# title = "a stack overflow inside toJSON of an input is a rejection, and the next call works"
//# tools = "demo"
//# [expect]
//# result = '[true,1]'
//# calls = [["demo.echo", "applied"]]
const deep = (): any => deep() + 1;
const code = await tools.demo.echo({ toJSON: deep }).catch((error) => error.code ?? error.name);
return [code === "SERIALIZATION" || code === "RangeError", await tools.demo.echo(1)];
