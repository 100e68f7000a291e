//# title = "a promise inside the result is not awaited"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "issued"]]
//# [expect.error]
//# code = "DETACHED_CALL"
//# name = 'DetachedCallError'
//# message = 'the program returned while its call of `demo.echo` was never awaited'
//# line = 11
//# column = 29
return { answer: tools.demo.echo(1) };
