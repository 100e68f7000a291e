//# title = "decorators of private members are refused"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = 'decorators of private members are not available'
//# line = 11
//# column = 8
//# hint = 'decorate a member that is not private'
const dec = (value: any) => value;
class A {
  @dec #secret = 1;
}
return 1;
