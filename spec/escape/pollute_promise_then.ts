//# title = "a replaced Promise.prototype.then is not called by await, and calls are answered"
//# tools = "demo"
//# [expect]
//# result = '[{"a":1},0]'
//# calls = [["demo.echo", "applied"]]
let times = 0;
const then = Promise.prototype.then;
Promise.prototype.then = function (this: Promise<unknown>, ...all: any[]) { times++; return then.apply(this, all as any) as any; } as any;
const answer = await tools.demo.echo({ a: 1 });
const before = times;
return [answer, before];
