//# title = "the loser of a race that is still pending is a detached call"
//# tools = "demo"
//# [expect]
//# calls = [["demo.wait", "cancelled-unknown"], ["demo.echo", "applied"]]
//# [expect.error]
//# code = "DETACHED_CALL"
//# name = 'DetachedCallError'
//# message = 'the program returned while its call of `demo.wait` was still pending'
//# details = { tool = "demo.wait", seq = "0" }
return await Promise.race([tools.demo.wait({ ms: 20000 }), tools.demo.echo("fast")]);
