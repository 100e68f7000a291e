//# title = "finally runs and passes on what it was given"
//# [expect]
//# result = '[1,["f","g",3]]'
const seen = [];
const value = await Promise.resolve(1).finally(() => { seen.push("f"); return 2; });
await Promise.reject(3).finally(() => seen.push("g")).catch((n) => seen.push(n));
return [value, seen];
