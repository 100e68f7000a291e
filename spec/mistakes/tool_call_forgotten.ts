//# title = "a call that nothing awaits"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "issued"]]
//# [expect.error]
//# code = "DETACHED_CALL"
//# name = "DetachedCallError"
//# message = "the program returned while its call of `demo.echo` was never awaited"
//# line = 12
//# column = 12
//# hint = "await every tool call before returning, for instance with `await Promise.all([…])`"
tools.demo.echo({ a: 1 });
return 1;
