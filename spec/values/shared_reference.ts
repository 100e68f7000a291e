//# title = "the same object twice is no cycle"
//# [expect]
//# result = '[{"x":1},{"x":1}]'
const a = { x: 1 };
return [a, a];
