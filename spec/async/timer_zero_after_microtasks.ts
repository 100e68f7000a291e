//# title = "a timer of 0 ms comes after all microtasks"
//# [expect]
//# result = '["microtasks","timer"]'
const seen: string[] = [];
const done = new Promise<void>((resolve) => setTimeout(() => { seen.push("timer"); resolve(); }, 0));
let chain = Promise.resolve();
for (let i = 0; i < 50; i++) chain = chain.then(() => {});
chain.then(() => seen.push("microtasks"));
await done;
return seen;
