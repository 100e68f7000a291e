//# title = "calls can be taken as they come"
//# tools = "demo"
//# [expect]
//# calls = [["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"]]
//# result = '[1,60,150]'
const calls = new Map([150, 1, 60].map((ms) => [ms, tools.demo.wait({ ms }).then(() => ms)]));
const order: number[] = [];
while (calls.size > 0) {
  const ms = await Promise.race(calls.values());
  order.push(ms);
  calls.delete(ms);
}
return order;
