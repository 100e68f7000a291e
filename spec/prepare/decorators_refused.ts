//# title = "decorators are refused"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = 'decorators are not available'
//# line = 9
//# column = 1
const dec = (c: any) => c;
@dec
class A {}
return 1;
