//# title = "a program that waits for a short time stays, and timers fire in their order"
//# [config.limits]
//# lifetime = "1h"
//# [expect]
//# result = '["a","b","c","d"]'
const order: string[] = [];
const after = (delay: number, name: string) => new Promise<void>((done) => setTimeout(() => { order.push(name); done(); }, delay));
await Promise.all([after(60, "d"), after(-5, "a"), after(NaN, "b"), after(20, "c")]);
return order;
