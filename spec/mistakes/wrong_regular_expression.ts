//# title = "a regular expression that is not one"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "SyntaxError"
//# message = "nothing to repeat"
//# line = 11
//# column = 12
//# hint = "escape the special characters of a text before `new RegExp`: text.replace(/[.*+?^${}()|[\\]\\\\]/g, \"\\\\$&\")"
const word = "c++";
return new RegExp(word).test("c++");
//# [correction]
//# group = "builtins"
//# why = "Signs such as `+` have a meaning in a regular expression. Escape a text before it becomes one, or search with `includes`."
//# program = '''
//# const word = "c++";
//# return "c++".includes(word);
//# '''
//# [correction.expect]
//# result = 'true'
