//# title = "a stack overflow inside toJSON of an input is a rejection, and the next call works"
//# tools = "demo"
//# [expect]
//# result = '["SERIALIZATION",1]'
//# calls = [["demo.echo", "applied"]]
const deep = (): any => deep() + 1;
const code = await tools.demo.echo({ toJSON: deep }).catch((error) => error.code);
return [code, await tools.demo.echo(1)];
