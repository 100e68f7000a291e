//# title = "a then on Object.prototype does not see an answer on its way to the promise of its call"
//# tools = "demo"
//# [expect]
//# result = '[1,0]'
//# calls = [["demo.echo", "applied"]]
let times = 0;
Object.defineProperty(Object.prototype, "then", { get() { times++; return undefined; }, configurable: true });
const { a } = await tools.demo.echo({ a: 1 });
const seen = times;
delete (Object.prototype as any).then;
return [a, seen];
