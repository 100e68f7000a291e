//# title = "the time for pending calls ends with the time of the program"
//# tools = "demo"
//# limits = { timeout = "1s" }
//# [expect]
//# result = '{"waited":5}'
//# calls = [["demo.wait", "applied"], ["demo.wait", "cancelled-unknown"]]
//# warnings = ['the program returned while its call of `demo.wait` was still pending: the call was cancelled, and may have taken effect']
return await Promise.race([tools.demo.wait({ ms: 5 }), tools.demo.wait({ ms: 60_000 })]);
