//# title = "a host error that is caught and thrown again keeps its code"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"]]
//# [expect.error]
//# code = "TOOL"
//# name = "ToolError"
//# message = 'again'
//# line = 12
//# column = 20
try {
  await tools.demo.fail({ message: "again" });
} catch (error) {
  await null;
  throw error;
}
