//# title = "the other usual methods are there"
//# [expect]
//# logs = [["log", "g"], ["log", "  in"], ["error", "Assertion failed: shown"], ["log", "default: 1"], ["log", "x: 1"], ["log", "default: 2"], ["log", "{\"a\":1}"], ["debug", "Trace: t\n    at <anonymous> (main.ts:14:9)"], ["log", "┌─────────┬───┬───┐\n│ (index) │ a │ b │\n├─────────┼───┼───┤\n│ 0       │ 1 │ 2 │\n└─────────┴───┴───┘"], ["log", "default: 1ms"]]
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
