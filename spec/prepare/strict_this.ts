//# title = "strict mode: this of a plain call is undefined"
//# [expect]
//# result = '"undefined"'
function f() { return typeof this; }
return f();
