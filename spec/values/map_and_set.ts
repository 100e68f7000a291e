//# title = "a Map and a Set are empty objects"
//# [expect]
//# result = '{"m":{},"s":{},"w":{}}'
return { m: new Map([["a", 1]]), s: new Set([1]), w: new WeakMap() };
