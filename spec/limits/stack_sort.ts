//# title = "recursion through a sort comparator is a stack overflow that can be caught"
//# [expect]
//# result = '"RangeError"'
const sort = (): any => [2, 1].sort(() => sort());
try { sort(); } catch (error) { return (error as Error).name; }
