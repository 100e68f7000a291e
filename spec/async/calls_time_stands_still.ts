//# title = "between two awaits nothing else runs"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"]]
//# result = '[false,true]'
let ran = false;
const call = tools.demo.echo({}).then(() => { ran = true; });
for (let i = 0; i < 1e5; i++);
const during = ran;
await call;
return [during, ran];
