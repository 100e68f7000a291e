//# title = "boxed primitives are unboxed"
//# [expect]
//# result = '[1,"a",false,1]'
return [new Number(1), new String("a"), new Boolean(false), Object(1)];
