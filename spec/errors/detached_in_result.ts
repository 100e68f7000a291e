//# title = "a call inside of the result is never awaited"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "issued"]]
//# [expect.error]
//# code = "DETACHED_CALL"
//# name = "DetachedCallError"
//# message = 'the program returned while its call of `demo.echo` was never awaited'
//# line = 11
//# column = 28
return { value: tools.demo.echo({}) };
