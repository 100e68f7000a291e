//# title = "a call and a timer race by their times"
//# tools = "demo"
//# [expect]
//# calls = [["demo.wait", "applied"]]
//# result = '["timer 20","call 60","timer 120"]'
const order: string[] = [];
await Promise.all([
  tools.demo.wait({ ms: 60 }).then(() => order.push("call 60")),
  new Promise<void>((resolve) => setTimeout(() => { order.push("timer 20"); resolve(); }, 20)),
  new Promise<void>((resolve) => setTimeout(() => { order.push("timer 120"); resolve(); }, 120)),
]);
return order;
