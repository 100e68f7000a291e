//# title = "a setter may have a default value"
//# [expect]
//# result = '[1,2]'
const seen: number[] = [];
class A { set x(v = 1) { seen.push(v); } }
new A().x = undefined as any;
({ set y(v = 2) { seen.push(v); } }).y = undefined as any;
return seen;
