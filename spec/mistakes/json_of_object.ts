//# title = "an object parsed that needs no parsing"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"]]
//# [expect.error]
//# code = "THROWN"
//# name = "SyntaxError"
//# message = "unexpected token: 'object'"
//# line = 13
//# column = 13
//# hint = "the value is an object already: use it without `JSON.parse`"
const answer: any = await tools.demo.echo({ a: 1 });
return JSON.parse(answer);
//# [correction]
//# group = "results"
//# why = "Calls return values, not JSON text. An answer that was JSON text is parsed already."
//# program = '''
//# const answer: any = await tools.demo.echo({ a: 1 });
//# return answer;
//# '''
//# [correction.expect]
//# result = '{"a":1}'
//# calls = [["demo.echo", "applied"]]
