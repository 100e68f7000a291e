//# title = "f<a>(b) is a call with a type argument"
//# [expect]
//# result = '3'
const f = <T,>(x: T): T => x;
type a = number;
const b = 3;
return f<a>(b);
