//# title = "pollution between a call and its answer changes neither"
//# tools = "demo"
//# [expect]
//# result = '{"a":[{"b":1}]}'
//# calls = [["demo.wait", "applied"], ["demo.echo", "applied"]]
const slow = tools.demo.wait({ ms: 20 });
const call = tools.demo.echo({ a: [{ b: 1 }] });
Object.defineProperty(Object.prototype, "a", { set() { throw new Error("polluted"); }, configurable: true });
Object.defineProperty(Object.prototype, "b", { set() { throw new Error("polluted"); }, configurable: true });
Object.defineProperty(Array.prototype, "0", { set() { throw new Error("polluted"); }, configurable: true });
await slow;
const answer = await call;
delete (Array.prototype as any)[0];
return answer;
