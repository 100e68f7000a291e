//# title = "a call starts at the next await, not when it is made"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"]]
//# result = '[false,true]'
const call = tools.demo.echo({ n: 1 });
let settled = false;
call.then(() => { settled = true; });
for (let i = 0; i < 1000; i++) await null;
const early = settled;
await call;
return [early, settled];
