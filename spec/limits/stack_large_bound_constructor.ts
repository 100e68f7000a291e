//# title = "a bound constructor with more arguments than the stack holds is a stack overflow that can be caught"
//# differsFromNode = "Node has a larger stack"
//# [expect]
//# result = '"RangeError"'
const many = new Array(60_000).fill(1);
let Made: any = class { count; constructor(...all: unknown[]) { this.count = all.length; } };
for (let i = 0; i < 4; i++) Made = Made.bind(null, ...many);
try { return new Made().count; } catch (error) { return error.name; }
