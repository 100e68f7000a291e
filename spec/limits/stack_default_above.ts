//# title = "what needs somewhat more than 512 KiB does not fit on the default stack"
//# notUnderNode = "Node's stack is another"
//# [expect]
//# result = '"RangeError"'
const deep = (n: number): number => (n === 0 ? 0 : deep(n - 1) + 1);
try { return deep(2500); } catch (error) { return error.name; }
