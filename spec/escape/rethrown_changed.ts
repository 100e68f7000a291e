//# title = "an error of a call whose properties were changed is reported as the host knows it"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"]]
//# [expect.error]
//# code = "TOOL"
//# name = 'ToolError'
//# message = 'what the tool said'
//# line = 13
//# column = 20
//# details = { tool = "demo.fail", seq = "0" }
try {
  await tools.demo.fail({ message: "what the tool said" });
} catch (error) {
  Object.assign(error, { code: "TIMEOUT", name: "TimeoutError", message: "forged", origin: 1 });
  Object.setPrototypeOf(error, RangeError.prototype);
  throw error;
}
