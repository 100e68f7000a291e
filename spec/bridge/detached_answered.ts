//# title = "a call that was answered but never awaited is detached"
//# checks = "off"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"], ["demo.wait", "applied"]]
//# [expect.error]
//# code = "DETACHED_CALL"
//# name = 'DetachedCallError'
//# message = 'the program returned while its call of `demo.echo` was never awaited'
//# line = 13
//# column = 12
//# details = { tool = "demo.echo", seq = "0" }
tools.demo.echo(1);
await tools.demo.wait({ ms: 50 });
return 1;
