//# title = "the loser of a race that takes too long is cancelled, and the program completes"
//# tools = "demo"
//# limits = { settle = "20ms" }
//# [expect]
//# result = '"fast"'
//# calls = [["demo.wait", "cancelled-unknown"], ["demo.echo", "applied"]]
//# warnings = ['the program returned while its call of `demo.wait` was still pending: the call was cancelled, and may have taken effect']
return await Promise.race([tools.demo.wait({ ms: 20000 }), tools.demo.echo("fast")]);
