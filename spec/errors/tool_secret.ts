//# title = "the outcome does not show what only the host may see"
//# tools = "spec"
//# [expect]
//# calls = [["spec.secret", "failed"]]
//# [expect.error]
//# code = "TOOL"
//# name = "ToolError"
//# message = 'the tool failed'
//# line = 13
//# column = 18
//# [expect.error.details]
//# tool = 'spec.secret'
await tools.spec.secret({});
