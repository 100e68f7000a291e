//# title = "finally runs when a call fails"
//# tools = "demo"
//# [expect]
//# logs = [["log", "cleaned up"]]
//# calls = [["demo.fail", "failed"], ["demo.echo", "applied"]]
//# [expect.error]
//# code = "TOOL"
//# name = "ToolError"
//# message = 'x'
//# line = 13
//# column = 20
try {
  await tools.demo.fail({ message: "x" });
} finally {
  console.log("cleaned up");
  await tools.demo.echo({});
}
