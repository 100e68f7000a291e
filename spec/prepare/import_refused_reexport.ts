//# title = "a reexport import of a package is refused"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = '`lodash` cannot be imported'
//# line = 9
//# column = 15
//# hint = "use the methods of arrays and objects, such as `map`, `filter`, `reduce` and `Object.groupBy`"
export * from "lodash";
return 1;
