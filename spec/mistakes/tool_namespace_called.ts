//# title = "a namespace called like a tool"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = "CheckError"
//# message = "unknown tool: `demo`; did you mean `demo.echo` or `demo.fail` or `demo.text`?"
//# line = 10
//# column = 20
return await tools.demo({ a: 1 });
//# [correction]
//# group = "tools"
//# why = "A namespace groups tools and is none itself. Call one of the tools in it."
//# program = '''
//# return await tools.demo.echo({ a: 1 });
//# '''
//# [correction.expect]
//# result = '{"a":1}'
//# calls = [["demo.echo", "applied"]]
