//# title = "calls in an async forEach are DETACHED_CALL"
//# tools = "demo"
//# [expect]
//# calls = [["demo.wait", "issued"], ["demo.wait", "issued"]]
//# [expect.error]
//# code = "DETACHED_CALL"
//# name = "DetachedCallError"
//# message = 'the program returned while its call of `demo.wait` was still pending (and 1 more)'
[1, 2].forEach(async (n) => {
  await tools.demo.wait({ ms: n });
});
return "done";
