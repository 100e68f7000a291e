//# title = "answers come when they come, not in the order of the calls"
//# tools = "demo"
//# [expect]
//# result = '[20,120]'
//# calls = [["demo.wait", "applied"], ["demo.wait", "applied"]]
const order: number[] = [];
await Promise.all([120, 20].map(async (ms) => order.push((await tools.demo.wait({ ms })).waited)));
return order;
