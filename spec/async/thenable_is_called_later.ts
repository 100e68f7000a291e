//# title = "the then of a thenable is called in a microtask of its own"
//# [expect]
//# result = '["code","then"]'
const seen: string[] = [];
const thenable = { then(resolve: any) { seen.push("then"); resolve(1); } };
const p = Promise.resolve(thenable);
seen.push("code");
await p;
return seen;
