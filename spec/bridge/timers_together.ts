//# title = "a timer that is cleared by another one that is due at the same time does not fire"
//# [expect]
//# result = '["first"]'
const seen: string[] = [];
let second: any;
setTimeout(() => { seen.push("first"); clearTimeout(second); }, 5);
second = setTimeout(() => { seen.push("second"); }, 5);
await new Promise((resolve) => setTimeout(resolve, 30));
return seen;
