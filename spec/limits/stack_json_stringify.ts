//# title = "a value that is nested too deeply for JSON.stringify can be caught"
//# limits = { stack = "64KiB" }
//# [expect]
//# result = '"RangeError"'
let deep: unknown = 1;
for (let i = 0; i < 20_000; i++) deep = [deep];
try { JSON.stringify(deep); return "none"; } catch (error) { return (error as Error).name; }
