//# title = "a call waits where its input is such that a rule wants approval, and not otherwise"
//# tools = "spec"
//# policy = [{ tools = "demo.wait", when = { properties = { ms = { minimum = 10 } } }, require = "approval" }]
//# [[passes]]
//# pending = [["1", "demo.wait", "approval"]]
//# approve = "all"
//# [expect]
//# result = '[{"waited":1},{"waited":10}]'
//# calls = [["demo.wait", "applied"], ["demo.wait", "applied"]]
return [await tools.demo.wait({ ms: 1 }), await tools.demo.wait({ ms: 10 })];
