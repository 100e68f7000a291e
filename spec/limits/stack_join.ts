//# title = "an array that is nested too deeply for join can be caught"
//# [expect]
//# result = '"RangeError"'
let deep: unknown[] = [1];
for (let i = 0; i < 100_000; i++) deep = [deep];
try { String(deep); return "none"; } catch (error) { return (error as Error).name; }
