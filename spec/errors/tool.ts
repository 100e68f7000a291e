//# title = "a tool that fails ends the program where its message says why"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"]]
//# [expect.error]
//# code = "TOOL"
//# name = "ToolError"
//# message = 'the printer is on fire'
//# line = 15
//# column = 25
//# [expect.error.details]
//# tool = 'demo.fail'
//# seq = '0'
const a = 1;
return await tools.demo.fail({ message: "the printer is on fire" });
