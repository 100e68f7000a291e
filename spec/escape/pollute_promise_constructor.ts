//# title = "a replaced constructor of promises makes await call then, as the language says, and the answer is the same"
//# tools = "demo"
//# [expect]
//# result = '[{"a":1},1]'
//# calls = [["demo.echo", "applied"]]
let times = 0;
const then = Promise.prototype.then;
Object.defineProperty(Promise.prototype, "constructor", { value: class Fake {}, configurable: true, writable: true });
(Promise.prototype as any).then = function (resolve: any, reject: any) { times++; Object.defineProperty(this, "constructor", { value: Promise }); return then.call(this, resolve, reject); };
const answer = await tools.demo.echo({ a: 1 });
return [answer, times];
