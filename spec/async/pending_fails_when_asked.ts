//# title = "a call that is still pending after the time for it is DETACHED_CALL where the host asks for it"
//# tools = "demo"
//# limits = { settle = "20ms", unsettled = "fail" }
//# [expect]
//# calls = [["demo.wait", "cancelled-unknown"], ["demo.wait", "applied"]]
//# [expect.error]
//# code = "DETACHED_CALL"
//# name = "DetachedCallError"
//# message = 'the program returned while its call of `demo.wait` was still pending'
//# line = 16
//# column = 25
//# hint = 'await every tool call before returning, for instance with `await Promise.all([…])`'
//# [expect.error.details]
//# tool = 'demo.wait'
//# seq = '0'
const slow = tools.demo.wait({ ms: 10000 });
slow.then(() => {});
await tools.demo.wait({ ms: 1 });
return 1;
