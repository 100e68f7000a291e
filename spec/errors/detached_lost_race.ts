//# title = "a call that lost a race and is still pending is DETACHED_CALL"
//# tools = "demo"
//# [expect]
//# calls = [["demo.wait", "applied"], ["demo.wait", "cancelled-unknown"]]
//# [expect.error]
//# code = "DETACHED_CALL"
//# name = "DetachedCallError"
//# message = 'the program returned while its call of `demo.wait` was still pending'
//# hint = 'await every tool call before returning, for instance with `await Promise.all([…])`'
//# [expect.error.details]
//# seq = '1'
return await Promise.race([tools.demo.wait({ ms: 5 }), tools.demo.wait({ ms: 10000 })]);
