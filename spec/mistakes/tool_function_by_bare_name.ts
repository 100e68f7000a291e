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
