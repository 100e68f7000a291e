//# title = "defaults are filled in before a rule decides and a person is asked, and the tool gets just that"
//# tools = "spec"
//# inputs = true
//# policy = [{ tools = "spec.page", when = { properties = { limit = { const = 10 } }, required = ["limit"] }, require = "approval" }]
//# config = { validation = { defaults = "fill" } }
//# [[passes]]
//# pending = [["0", "spec.page", "approval"]]
//# approve = "all"
//# [expect]
//# result = '{"sort":{"by":"name"},"limit":10}'
//# calls = [["spec.page", "applied"]]
//# inputs = ['{}']
return await tools.spec.page({});
