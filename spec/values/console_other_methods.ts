//# title = "the other usual methods are there"
//# [expect]
//# logs = [["log", "g"], ["log", "  in"], ["error", "Assertion failed: shown"], ["log", "default: 1"], ["log", "x: 1"], ["log", "default: 2"], ["log", "{\"a\":1}"], ["debug", "t"], ["log", "  | a | b\n0 | 1 | 2"]]
//# result = 'null'
console.group("g");
console.log("in");
console.groupEnd();
console.assert(1 === 1, "not shown");
console.assert(false, "shown");
console.count();
console.count("x");
console.count();
console.dir({ a: 1 });
console.trace("t");
console.table([{ a: 1, b: 2 }]);
console.time();
console.timeEnd();
return null;
