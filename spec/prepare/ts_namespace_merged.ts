//# title = "a namespace adds to a function"
//# [expect]
//# result = '"merged"'
function f() { return f.extra; }
namespace f { export const extra = "merged"; }
return f();
