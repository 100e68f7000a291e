//# title = "a reexport import of a package is refused"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = '`lodash` cannot be imported'
//# line = 9
//# column = 15
//# hint = "only the program's own files can be imported; the tools are in `tools.…`"
export * from "lodash";
return 1;
