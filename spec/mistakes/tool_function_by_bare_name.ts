//# title = "a tool called by its last name"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = "echo is not defined"
//# line = 10
//# column = 14
//# hint = "tools are called through `tools`: `tools.demo.echo(…)`"
return await echo({ a: 1 });
//# [correction]
//# group = "tools"
//# why = "Tools are not globals. A tool is called by its whole path below `tools`."
//# program = '''
//# return await tools.demo.echo({ a: 1 });
//# '''
//# [correction.expect]
//# result = '{"a":1}'
//# calls = [["demo.echo", "applied"]]
