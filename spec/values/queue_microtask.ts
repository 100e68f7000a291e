//# title = "queueMicrotask runs a function after the current one"
//# [expect]
//# result = '["first","second","micro"]'
const seen = ["first"];
queueMicrotask(() => seen.push("micro"));
seen.push("second");
await null;
return seen;
