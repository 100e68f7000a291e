//# title = "recursion through yield* is a stack overflow that can be caught"
//# [expect]
//# result = '"RangeError"'
function* deep(): Generator<number> { yield* deep(); }
try { deep().next(); } catch (error) { return (error as Error).name; }
