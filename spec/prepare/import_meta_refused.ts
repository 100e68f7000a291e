//# title = "import.meta.url is refused"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = '`import.meta` is not available'
//# line = 9
//# column = 8
//# hint = 'a program has no place in a file system; leave it out'
return import.meta.url;
