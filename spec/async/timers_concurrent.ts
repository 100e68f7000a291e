//# title = "timers wait at the same time"
//# [expect]
//# result = 'true'
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const before = Date.now();
await Promise.all([sleep(200), sleep(200), sleep(200), sleep(200)]);
return Date.now() - before < 700;
