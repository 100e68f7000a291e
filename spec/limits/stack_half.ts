//# title = "what fits on the default stack does not fit on half of it"
//# limits = { stack = "256KiB" }
//# [expect]
//# result = '"RangeError"'
const deep = (n: number): number => (n === 0 ? 0 : deep(n - 1) + 1);
try { return deep(10_000); } catch (error) { return error.name; }
