//# title = "the position of a failed call is where it was made"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"]]
//# [expect.error]
//# code = "TOOL"
//# name = "ToolError"
//# message = 'inside'
//# line = 12
//# column = 27
async function ask(message: string) {
  return await tools.demo.fail({ message });
}
await ask("inside");
