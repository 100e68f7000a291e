//# title = "types are taken out, not checked"
//# [expect]
//# result = '"not a number"'
const n: number = "not a number";
return n;
