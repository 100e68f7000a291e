//# title = "timers wait at the same time: a long one does not hold up a short one"
//# [expect]
//# result = '[1,60]'
const seen: number[] = [];
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(() => { seen.push(ms); resolve(); }, ms));
await Promise.all([sleep(60), sleep(1)]);
return seen;
