//# title = "a namespace called like a tool"
//# tools = "demo"
//# [expect]
//# calls = [["demo", "failed"]]
//# [expect.error]
//# code = "UNKNOWN_TOOL"
//# name = "UnknownToolError"
//# message = "unknown tool: `demo`; did you mean `demo.echo` or `demo.fail` or `demo.text`?"
//# line = 11
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
