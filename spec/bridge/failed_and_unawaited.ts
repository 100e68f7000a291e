//# title = "a call that failed and was never awaited is detached"
//# checks = "off"
//# tools = "demo"
//# [expect]
//# logs = [["error", "unhandled rejection: ToolError: x"]]
//# calls = [["demo.fail", "failed"], ["demo.wait", "applied"]]
//# [expect.error]
//# code = "DETACHED_CALL"
//# name = 'DetachedCallError'
//# message = 'the program returned while its call of `demo.fail` was never awaited'
//# line = 13
//# column = 12
tools.demo.fail({ message: "x" });
await tools.demo.wait({ ms: 300 });
