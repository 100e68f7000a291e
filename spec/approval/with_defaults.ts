//# title = "a call that waited gets the defaults of its input schema as any other, and a decision is remembered for what the tool gets"
//# tools = "spec"
//# policy = [{ tools = "spec.page", require = "approval" }]
//# config = { validation = { defaults = "fill" } }
//# [[passes]]
//# pending = [["0", "spec.page", "approval"]]
//# approve = "all"
//# remember = "session"
//# [expect]
//# result = '[10,10]'
//# calls = [["spec.page", "applied"], ["spec.page", "applied"]]
return [await tools.spec.page({}), await tools.spec.page({ limit: 10 })].map((one) => one.limit);
