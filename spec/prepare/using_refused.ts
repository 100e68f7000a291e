//# title = "a using declaration is refused"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = '`using` declarations are not available'
//# line = 10
//# column = 3
//# hint = 'use `try` and `finally`'
{
  using x = { [Symbol.dispose]() {} };
}
return 1;
