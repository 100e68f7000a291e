//# title = "calls in a list that is returned without Promise.all are DETACHED_CALL"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "issued"], ["demo.echo", "issued"]]
//# [expect.error]
//# code = "DETACHED_CALL"
//# name = "DetachedCallError"
//# message = 'the program returned while its call of `demo.echo` was never awaited (and 1 more)'
//# line = 11
//# column = 37
return [1, 2].map((n) => tools.demo.echo({ n }));
