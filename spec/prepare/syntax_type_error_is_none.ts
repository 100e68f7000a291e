//# title = "an error that only a type checker would find is none"
//# [expect]
//# result = '[5,true,1]'
const x: string = 5;
const y = (x as any).nope?.deeper;
function f(a: number): string { return a as any; }
return [x, y === undefined, f(1)];
