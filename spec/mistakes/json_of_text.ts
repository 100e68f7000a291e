//# title = "text parsed that is not JSON"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "SyntaxError"
//# message = "Expected property name or '}' in JSON at position 2 (line 1 column 3)"
//# line = 10
//# column = 13
const text = "{ name: 'Ann' }";
return JSON.parse(text);
//# [correction]
//# group = "builtins"
//# why = "JSON needs double quotes around names and texts. Text from elsewhere may not be JSON: catch the error."
//# program = '''
//# const text = '{ "name": "Ann" }';
//# try {
//#   return JSON.parse(text);
//# } catch {
//#   return null;
//# }
//# '''
//# [correction.expect]
//# result = '{"name":"Ann"}'
