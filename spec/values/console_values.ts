//# title = "values are written in one line, much like JSON"
//# [expect]
//# logs = [["log", "text 1 -0 true null undefined 10n Symbol(s)"], ["log", "{\"a\":\"x\",\"b\":[1,\"y\",{\"c\":null}]} [] {}"], ["log", "[undefined,NaN,empty,3]"], ["log", "Map(1) {\"k\" => {\"v\":1}} Set(2) {1,\"a\"} \"1970-01-01T00:00:00.000Z\" /x/g"], ["log", "[Function: named] [Function (anonymous)] [Function: A]"]]
//# result = 'null'
console.log("text", 1, -0, true, null, undefined, 10n, Symbol("s"));
console.log({ a: "x", b: [1, "y", { c: null }] }, [], {});
console.log([undefined, NaN, , 3]);
console.log(new Map([["k", { v: 1 }]]), new Set([1, "a"]), new Date(0), /x/g);
console.log(function named() {}, () => {}, class A {});
return null;
