//# title = "a generic arrow function with a constraint is no JSX"
//# [expect]
//# result = '[{"a":1},2]'
const id = <T extends object>(x: T) => x;
const pick = <T,>(x: T): T => x;
return [id({ a: 1 }), pick(2)];
