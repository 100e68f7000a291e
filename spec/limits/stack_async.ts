//# title = "recursion of async functions is a rejection with a stack overflow"
//# [expect]
//# result = '"RangeError"'
const deep = async (): Promise<void> => deep();
try { await deep(); } catch (error) { return (error as Error).name; }
