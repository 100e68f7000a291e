//# title = "twenty thousand nested calls do not fit on the default stack"
//# notUnderNode = "Node's stack is another"
//# [expect]
//# result = '"RangeError"'
const deep = (n: number): number => (n === 0 ? 0 : deep(n - 1) + 1);
try { return deep(20_000); } catch (error) { return error.name; }
