//# title = "an immediate runs after the promises of this turn"
//# [expect]
//# result = '["code","promise","immediate"]'
const order: string[] = [];
await new Promise<void>((resolve) => {
  setImmediate((text: string) => { order.push(text); resolve(); }, "immediate");
  clearImmediate(setImmediate(() => order.push("cleared")));
  Promise.resolve().then(() => order.push("promise"));
  order.push("code");
});
return order;
