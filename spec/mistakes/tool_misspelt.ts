//# title = "a tool whose name is misspelt"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = "CheckError"
//# message = "unknown tool: `demo.ecko`; did you mean `demo.echo` or `demo.broken` or `demo.count`?"
//# line = 10
//# column = 25
return await tools.demo.ecko({ a: 1 });
//# [correction]
//# group = "tools"
//# why = "No tool has this name. The message suggests the nearest names."
//# program = '''
//# return await tools.demo.echo({ a: 1 });
//# '''
//# [correction.expect]
//# result = '{"a":1}'
//# calls = [["demo.echo", "applied"]]
