//# title = "an input with a number of JSON.rawJSON that is out of range fails its call, and nothing else"
//# tools = "demo"
//# [expect]
//# result = '["SERIALIZATION",1]'
//# calls = [["demo.echo", "applied"]]
const code = await tools.demo.echo({ a: JSON.rawJSON("1e999") }).catch((error) => error.code);
return [code, await tools.demo.echo(1)];
