//# title = "a program that does not parse is SYNTAX, also where there is no place for it"
//# capacity = { live = 1, queue = 0, occupants = 1 }
//# expect.error.code = "SYNTAX"
//# expect.error.name = "SyntaxError"
//# expect.error.message = "unexpected `;`"
//# expect.error.line = 8
//# expect.error.column = 11
return 1 +;
