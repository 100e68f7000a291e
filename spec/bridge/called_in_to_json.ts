//# title = "a call made while the result is written is detached"
//# checks = "off"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "issued"]]
//# [expect.error]
//# code = "DETACHED_CALL"
//# name = 'DetachedCallError'
//# message = 'the program returned while its call of `demo.echo` was never awaited'
//# line = 12
//# column = 32
return { toJSON() { tools.demo.echo(1); return 1; } };
