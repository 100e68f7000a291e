//# title = "a call that was approved may fail like any other"
//# tools = "spec"
//# policy = [{ tools = "demo.fail", require = "approval" }]
//# [[passes]]
//# pending = [["0", "demo.fail", "approval"]]
//# approve = "all"
//# [expect]
//# result = '["TOOL","no"]'
//# calls = [["demo.fail", "failed"]]
return await tools.demo.fail({ message: "no" }).catch((error) => [error.code, error.message]);
