//# title = "a value that is nested too deeply for structuredClone can be caught"
//# [expect]
//# result = '"RangeError"'
let deep: unknown = 1;
for (let i = 0; i < 100_000; i++) deep = { deep };
try { structuredClone(deep); return "none"; } catch (error) { return (error as Error).name; }
