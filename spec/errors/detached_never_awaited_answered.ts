//# title = "a call that is never awaited is detached even if it was answered"
//# checks = "off"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"], ["demo.wait", "applied"]]
//# [expect.error]
//# code = "DETACHED_CALL"
//# name = "DetachedCallError"
//# message = 'the program returned while its call of `demo.echo` was never awaited'
//# line = 12
//# column = 12
tools.demo.echo({});
await tools.demo.wait({ ms: 30 });
return 1;
