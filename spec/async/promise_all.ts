//# title = "Promise.all keeps the order of its input"
//# [expect]
//# result = '[1,2,3]'
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const late = async (n: number, ms: number) => { await sleep(ms); return n; };
return await Promise.all([late(1, 20), late(2, 1), 3]);
