//# title = "a call whose then is never awaited is still pending"
//# tools = "demo"
//# [expect]
//# logs = [["log", "never printed?"]]
//# calls = [["demo.echo", "issued"]]
//# [expect.error]
//# code = "DETACHED_CALL"
//# name = 'DetachedCallError'
//# message = 'the program returned while its call of `demo.echo` was still pending'
tools.demo.echo(1).then(console.log);
console.log("never printed?");
