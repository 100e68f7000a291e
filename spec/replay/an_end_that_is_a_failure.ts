//# title = "a program that fails in the end fails once"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"]]
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = 'cannot read "x" of null'
//# line = 13
//# column = 6
await tools.demo.echo(1);
await tools.demo.echo(2);
null.x;
