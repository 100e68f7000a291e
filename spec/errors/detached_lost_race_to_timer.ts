//# title = "a call that lost a race to a timer is DETACHED_CALL"
//# tools = "demo"
//# [expect]
//# calls = [["demo.wait", "cancelled-unknown"]]
//# [expect.error]
//# code = "DETACHED_CALL"
//# name = "DetachedCallError"
//# message = 'the program returned while its call of `demo.wait` was still pending'
const timeout = new Promise((resolve) => setTimeout(() => resolve("late"), 5));
return await Promise.race([tools.demo.wait({ ms: 10000 }), timeout]);
