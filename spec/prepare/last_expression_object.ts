//# title = "an object in parentheses is a last expression"
//# [expect]
//# result = '{"x":1,"y":2}'
const x = 1;
({ x, y: 2 })
