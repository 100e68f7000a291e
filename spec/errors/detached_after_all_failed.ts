//# title = "calls that go on after Promise.all has failed are DETACHED_CALL"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"], ["demo.wait", "cancelled-unknown"]]
//# [expect.error]
//# code = "DETACHED_CALL"
//# name = "DetachedCallError"
//# message = 'the program returned while its call of `demo.wait` was still pending'
try {
  await Promise.all([tools.demo.fail({ message: "x" }), tools.demo.wait({ ms: 10000 })]);
} catch {}
return 1;
