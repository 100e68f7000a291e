//# title = "code, microtasks and timers come in this order"
//# [expect]
//# result = '["code","micro 1","micro 2","micro 3","timer"]'
const seen: string[] = [];
setTimeout(() => seen.push("timer"), 0);
queueMicrotask(() => { seen.push("micro 1"); queueMicrotask(() => seen.push("micro 3")); });
Promise.resolve().then(() => seen.push("micro 2"));
seen.push("code");
await new Promise((resolve) => setTimeout(resolve, 10));
return seen;
