//# title = "an input is what it was when the call was made"
//# tools = "demo"
//# [expect]
//# result = '{"list":[1]}'
//# calls = [["demo.echo", "applied"]]
const input = { list: [1] };
const call = tools.demo.echo(input);
input.list.push(2);
return await call;
