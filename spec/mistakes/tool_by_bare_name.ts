//# title = "a tool called without `tools`"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = "demo is not defined"
//# line = 10
//# column = 14
//# hint = "tools are called through `tools`: `tools.demo`"
return await demo.echo({ a: 1 });
//# [correction]
//# group = "tools"
//# why = "Tools are not globals. All of them are below `tools`."
//# program = '''
//# return await tools.demo.echo({ a: 1 });
//# '''
//# [correction.expect]
//# result = '{"a":1}'
//# calls = [["demo.echo", "applied"]]
