//# title = "a call in an async function that is not awaited is DETACHED_CALL"
//# tools = "demo"
//# [expect]
//# calls = [["demo.wait", "issued"]]
//# [expect.error]
//# code = "DETACHED_CALL"
//# name = "DetachedCallError"
//# message = 'the program returned while its call of `demo.wait` was still pending'
async function send() {
  await tools.demo.wait({ ms: 10000 });
}
send();
return 1;
