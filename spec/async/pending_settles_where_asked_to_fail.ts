//# title = "a pending call that settles in time does not fail the program, also where the host asks for it"
//# tools = "demo"
//# limits = { unsettled = "fail" }
//# crashChanges = "a call that was left behind is not made again"
//# [expect]
//# result = '{"waited":1}'
//# calls = [["demo.wait", "applied"], ["demo.wait", "applied"]]
return await Promise.race([tools.demo.wait({ ms: 1 }), tools.demo.wait({ ms: 30 })]);
