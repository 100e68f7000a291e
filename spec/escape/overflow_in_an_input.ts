//# title = "a stack overflow inside toJSON of an input is a stack overflow, and the next call works"
//# tools = "demo"
//# [expect]
//# result = '["RangeError",1]'
//# calls = [["demo.echo", "applied"]]
const deep = (): any => deep() + 1;
const name = await tools.demo.echo({ toJSON: deep }).catch((error) => error.name);
return [name, await tools.demo.echo(1)];
