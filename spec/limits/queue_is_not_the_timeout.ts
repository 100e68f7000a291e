//# title = "the time in the queue does not count against the time-out: a program that takes most of it after most of it still completes"
//# tools = "demo"
//# limits.timeout = "2s"
//# capacity = { live = 1, queue = 1, occupants = 1, occupant = "await tools.demo.wait({ ms: 1200 })" }
//# expect.result = '{"waited":1200}'
//# expect.calls = [["demo.wait", "applied"]]
return await tools.demo.wait({ ms: 1200 });
