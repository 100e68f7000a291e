//# title = "without being asked for, defaults are not filled in"
//# checks = "off"
//# tools = "spec"
//# [expect]
//# calls = [["spec.page", "failed"]]
//# [expect.error]
//# code = "INVALID_INPUT"
//# name = "InvalidInputError"
//# message = 'invalid input for tool `spec.page`: "limit" is a required property'
//# line = 13
//# column = 18
//# details = { tool = "spec.page", seq = "0" }
await tools.spec.page({});
