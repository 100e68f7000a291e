//# title = "decorators of parameters are refused"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = 'decorators of parameters are not available'
//# line = 11
//# column = 15
//# hint = 'they are not part of JavaScript; pass the values as arguments'
const inject = (value: any) => value;
class A {
  constructor(@inject name: string) {}
}
return 1;
