//# title = "a call gives a promise like any other"
//# tools = "demo"
//# [expect]
//# result = '[true,true,"[object Promise]",1,"done"]'
//# calls = [["demo.echo", "applied"]]
const call = tools.demo.echo(1);
let done;
const value = await call.finally(() => { done = "done"; });
return [call instanceof Promise, Object.getPrototypeOf(call) === Promise.prototype, String(call), value, done];
