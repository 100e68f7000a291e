//# title = "a promise returned from an async function takes three ticks"
//# [expect]
//# result = '["1","2","returned promise","3"]'
const seen: string[] = [];
(async () => Promise.resolve())().then(() => seen.push("returned promise"));
(async () => 1)().then(() => seen.push("1")).then(() => seen.push("2")).then(() => seen.push("3"));
for (let i = 0; i < 8; i++) await null;
return seen;
