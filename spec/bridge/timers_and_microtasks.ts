//# title = "what one timer queues runs before the next timer"
//# [expect]
//# result = '["first","micro","second"]'
const seen: string[] = [];
setTimeout(() => { seen.push("first"); queueMicrotask(() => seen.push("micro")); }, 5);
setTimeout(() => { seen.push("second"); }, 5);
await new Promise((resolve) => setTimeout(resolve, 30));
return seen;
