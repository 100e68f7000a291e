//# title = "a timer that is cleared does not fire"
//# [expect]
//# result = '["kept"]'
const seen: string[] = [];
const timer = setTimeout(() => seen.push("cleared"), 1);
clearTimeout(timer);
setTimeout(() => seen.push("kept"), 1);
await new Promise((resolve) => setTimeout(resolve, 20));
return seen;
