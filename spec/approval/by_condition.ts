//# title = "approval may be needed for some inputs only"
//# tools = "demo"
//# approver = "no"
//# policy = [{ tools = "demo.wait", when = { properties = { ms = { minimum = 10 } } }, require = "approval" }]
//# [expect]
//# result = '[{"waited":1},"APPROVAL_DENIED"]'
//# calls = [["demo.wait", "applied"], ["demo.wait", "denied"]]
return [await tools.demo.wait({ ms: 1 }), await tools.demo.wait({ ms: 10 }).catch((error) => error.code)];
