//# title = "for await takes promises in order"
//# [expect]
//# result = '[1,2,3]'
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const seen = [];
for await (const n of [sleep(20).then(() => 1), Promise.resolve(2), 3]) seen.push(n);
return seen;
