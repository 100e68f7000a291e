//# title = "Promise.any over calls skips those that fail"
//# crashChanges = "after a crash the call that fails may be the later one, and the program does not wait for it"
//# tools = "demo"
//# [expect]
//# calls = [["demo.wait", "applied"], ["demo.fail", "failed"]]
//# result = '{"waited":10}'
const slow = tools.demo.wait({ ms: 10 });
return await Promise.any([tools.demo.fail({ message: "x" }), slow]);
