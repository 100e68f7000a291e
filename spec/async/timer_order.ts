//# title = "timers fire in the order of their time, equal ones in the order they were set"
//# [expect]
//# result = '["a","b1","b2","c"]'
const seen: string[] = [];
setTimeout(() => seen.push("c"), 40);
setTimeout(() => seen.push("a"), 1);
setTimeout(() => seen.push("b1"), 20);
setTimeout(() => seen.push("b2"), 20);
await new Promise((resolve) => setTimeout(resolve, 70));
return seen;
