//# title = "an error of a call with getters over its properties is reported as the host knows it"
//# tools = "demo"
//# [expect]
//# logs = [["log", "read"]]
//# calls = [["demo.fail", "failed"]]
//# [expect.error]
//# code = "TOOL"
//# name = 'ToolError'
//# message = 'what the tool said'
//# line = 13
//# column = 20
try {
  await tools.demo.fail({ message: "what the tool said" });
} catch (error) {
  Object.defineProperty(error, "message", { get() { console.log("read"); return "forged"; } });
  throw error;
}
