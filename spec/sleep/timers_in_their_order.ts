//# title = "timers that were due while a program slept fire in the order of their times, each once"
//# [config.limits]
//# lifetime = "1h"
//# [[passes]]
//# sleeps = true
//# [expect]
//# result = '["first","second","third"]'
const order: string[] = [];
const after = (delay: number, name: string) => new Promise<void>((done) => setTimeout(() => { order.push(name); done(); }, delay));
await Promise.all([after(2070, "third"), after(2050, "first"), after(2060, "second")]);
return order;
