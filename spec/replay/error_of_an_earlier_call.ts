//# title = "the failure of a call from before a pause keeps its code, its message and its place"
//# tools = "spec"
//# [[passes]]
//# pending = [["1", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# calls = [["demo.fail", "failed"], ["spec.pay", "applied"]]
//# [expect.error]
//# code = "TOOL"
//# name = "ToolError"
//# message = "earlier"
//# line = 16
//# column = 18
//# details = { tool = "demo.fail", seq = "0" }
let failure;
await tools.demo.fail({ message: "earlier" }).catch((error) => { failure = error; });
await tools.spec.pay({ amount: 1 });
throw failure;
