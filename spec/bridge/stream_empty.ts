//# title = "a stream that ends before its first output is a failure of the tool"
//# tools = "spec"
//# [expect]
//# calls = [["spec.stream", "failed"]]
//# [expect.error]
//# code = "TOOL"
//# name = "ToolError"
//# message = "the tool returned no output: its stream was empty"
//# line = 12
//# column = 18
//# details = { tool = "spec.stream", seq = "0" }
await tools.spec.stream({ values: [] });
