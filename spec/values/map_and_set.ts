//# title = "a Map is its entries and a Set its members, and the author is told"
//# differsFromNode = "JSON.stringify loses them"
//# [expect]
//# result = '{"m":[["a",1]],"s":[1],"w":{}}'
//# warnings = [
//#   "`m` is a Map, and was returned as a list of its entries; Object.fromEntries(…) makes it an object",
//#   "`s` is a Set, and was returned as a list of its members",
//#   "`w` is a WeakMap without properties of its own, and was returned as {}; return its values instead",
//# ]
return { m: new Map([["a", 1]]), s: new Set([1]), w: new WeakMap() };
