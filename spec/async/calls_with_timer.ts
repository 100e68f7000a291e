//# title = "a call and a timer race by their times"
//# crashChanges = "after a crash the call takes its time once more, and that of the timers goes on"
//# tools = "demo"
//# [expect]
//# calls = [["demo.wait", "applied"]]
//# result = '["timer 20","call 100","timer 250"]'
const order: string[] = [];
await Promise.all([
  tools.demo.wait({ ms: 100 }).then(() => order.push("call 100")),
  new Promise<void>((resolve) => setTimeout(() => { order.push("timer 20"); resolve(); }, 20)),
  new Promise<void>((resolve) => setTimeout(() => { order.push("timer 250"); resolve(); }, 250)),
]);
return order;
