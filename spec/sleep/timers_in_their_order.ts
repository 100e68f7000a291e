//# title = "timers that were due while a program slept fire in the order of their times, each once"
//# [config.limits]
//# lifetime = "1h"
//# [[passes]]
//# sleeps = true
//# [expect]
//# result = '["first","second","third"]'
const order: string[] = [];
const after = (delay: number, name: string) => new Promise<void>((done) => setTimeout(() => { order.push(name); done(); }, delay));
await Promise.all([after(1070, "third"), after(1050, "first"), after(1060, "second")]);
return order;
