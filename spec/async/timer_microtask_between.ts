//# title = "microtasks of one timer run before the next timer"
//# [expect]
//# result = '["t1","m1","t2","m2"]'
const seen: string[] = [];
setTimeout(() => { seen.push("t1"); Promise.resolve().then(() => seen.push("m1")); }, 0);
setTimeout(() => { seen.push("t2"); Promise.resolve().then(() => seen.push("m2")); }, 0);
await new Promise((resolve) => setTimeout(resolve, 20));
return seen;
