//# title = "a timer may clear another that is due at the same time"
//# [expect]
//# result = '["first"]'
const seen: string[] = [];
let second: any;
setTimeout(() => { seen.push("first"); clearTimeout(second); }, 5);
second = setTimeout(() => seen.push("second"), 5);
await new Promise((resolve) => setTimeout(resolve, 30));
return seen;
