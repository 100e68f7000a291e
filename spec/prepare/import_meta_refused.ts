//# title = "import.meta is refused"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = '`import.meta` is not available'
//# line = 8
//# column = 8
return import.meta.url;
