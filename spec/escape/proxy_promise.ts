//# title = "a Proxy around the promise of a call cannot be awaited, and does not hide the call"
//# tools = "demo"
//# [expect]
//# result = '["TypeError",1]'
//# calls = [["demo.echo", "applied"]]
const call = tools.demo.echo(1);
let name = "none";
try { await new Proxy(call, {}); } catch (error) { name = error.name; }
return [name, await call];
