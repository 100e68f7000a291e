//# title = "the functions that settle a call are out of reach"
//# tools = "demo"
//# [expect]
//# result = '[1,1]'
//# calls = [["demo.echo", "applied"]]
const settle: any[] = [];
const Native: any = Promise;
Object.defineProperty(Native.prototype, "resolve", { value: () => { settle.push(1); }, configurable: true });
const call: any = tools.demo.echo(1);
call.resolve?.("forged");
call.value = "forged";
call.then = undefined;
delete call.then;
return [await call, settle.length];
