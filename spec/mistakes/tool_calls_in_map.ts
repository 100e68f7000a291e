//# title = "calls in map that are returned without Promise.all"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "issued"], ["demo.echo", "issued"]]
//# [expect.error]
//# code = "DETACHED_CALL"
//# name = "DetachedCallError"
//# message = "the program returned while its call of `demo.echo` was never awaited (and 1 more)"
//# line = 12
//# column = 49
//# hint = "await every tool call before returning, for instance with `await Promise.all([…])`"
return [1, 2].map((n) => ({ n, call: tools.demo.echo({ n }) }));
