//# title = "recursion in a finally block is a stack overflow that can be caught"
//# [expect]
//# result = '"RangeError"'
function deep(): void { try { deep(); } finally { deep; } }
try { deep(); } catch (error) { return (error as Error).name; }
