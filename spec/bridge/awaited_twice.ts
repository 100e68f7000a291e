//# title = "a call that is awaited twice was made once"
//# tools = "demo"
//# [expect]
//# result = '[true,1]'
//# calls = [["demo.echo", "applied"]]
const call = tools.demo.echo({ n: 1 });
return [(await call) === (await call), (await call).n];
