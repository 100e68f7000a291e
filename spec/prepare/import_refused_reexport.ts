//# title = "a reexport import of a package is refused"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = '`lodash` cannot be imported'
//# line = 9
//# column = 15
//# hint = "use the methods of Array and Object, such as map, flatMap, Object.groupBy and structuredClone"
export * from "lodash";
return 1;
