//# title = "a copy of a host error is THROWN"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"]]
//# [expect.error]
//# code = "THROWN"
//# name = "ToolError"
//# message = 'real'
//# line = 14
//# column = 9
try {
  await tools.demo.fail({ message: "real" });
} catch (error) {
  throw Object.assign(new Error("real"), { name: error.name, code: error.code });
}
