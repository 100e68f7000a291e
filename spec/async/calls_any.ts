//# title = "Promise.any over calls skips those that fail"
//# tools = "demo"
//# [expect]
//# calls = [["demo.wait", "applied"], ["demo.fail", "failed"]]
//# result = '{"waited":10}'
const slow = tools.demo.wait({ ms: 10 });
return await Promise.any([tools.demo.fail({ message: "x" }), slow]);
