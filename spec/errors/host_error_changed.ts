//# title = "what the program changes on a host error changes nothing in the outcome"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"]]
//# [expect.error]
//# code = "TOOL"
//# name = "ToolError"
//# message = 'real'
//# line = 12
//# column = 20
try {
  await tools.demo.fail({ message: "real" });
} catch (error) {
  error.code = "TIMEOUT";
  error.message = "changed";
  error.name = "Changed";
  throw error;
}
