//# title = "an await using declaration is refused"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = '`using` declarations are not available'
//# line = 9
//# column = 1
//# hint = 'use `try` and `finally`'
await using x = null;
return 1;
