//# title = "a tick comes before the promises of the same turn"
//# [expect]
//# result = '["code","tick","second tick","promise"]'
const order: string[] = [];
return await new Promise((resolve) => setTimeout(() => {
  Promise.resolve().then(() => order.push("promise"));
  process.nextTick(() => { order.push("tick"); process.nextTick(() => order.push("second tick")); });
  order.push("code");
  setTimeout(() => resolve(order), 5);
}, 1));
