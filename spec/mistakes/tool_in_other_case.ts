//# title = "a tool in another case"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = "CheckError"
//# message = "unknown tool: `demo.Echo`; did you mean `demo.echo` or `demo.count` or `demo.broken`?"
//# line = 10
//# column = 25
return await tools.demo.Echo({ a: 1 });
//# [correction]
//# group = "tools"
//# why = "The names of tools distinguish capital and small letters."
//# program = '''
//# return await tools.demo.echo({ a: 1 });
//# '''
//# [correction.expect]
//# result = '{"a":1}'
//# calls = [["demo.echo", "applied"]]
