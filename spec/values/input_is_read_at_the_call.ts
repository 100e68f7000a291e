//# title = "an input is what it was when the call was made"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"]]
//# result = '{"n":1}'
const input = { n: 1 };
const call = tools.demo.echo(input);
input.n = 2;
return await call;
