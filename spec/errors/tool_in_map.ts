//# title = "the position of a failed call in a callback is where it was made"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"]]
//# [expect.error]
//# code = "TOOL"
//# name = "ToolError"
//# message = 'n 1'
//# line = 12
//# column = 14
await Promise.all([1].map((n) =>
  tools.demo.fail({ message: `n ${n}` })));
