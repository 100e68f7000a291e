//# title = "a bound function with more arguments than the stack holds is a stack overflow that can be caught"
//# differsFromNode = "Node has a larger stack"
//# [expect]
//# result = '"RangeError"'
const many = new Array(60_000).fill(1);
let f: any = (...all: unknown[]) => all.length;
for (let i = 0; i < 4; i++) f = f.bind(null, ...many);
try { return f(); } catch (error) { return error.name; }
