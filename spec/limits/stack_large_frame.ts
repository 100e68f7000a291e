//# title = "a function whose frame is larger than what is left of the stack is a stack overflow that can be caught"
//# [expect]
//# result = '"RangeError"'
const wide = (() => 1).bind(null, ...new Array(60_000));
const deep = (): number => { wide(); return deep() + 1; };
try { return deep(); } catch (error) { return error.name; }
