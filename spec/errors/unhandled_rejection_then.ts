//# title = "a failure that is only met by then is a line in the log"
//# tools = "demo"
//# [expect]
//# logs = [["error", "unhandled rejection: ToolError: missed"]]
//# calls = [["demo.fail", "failed"], ["demo.wait", "applied"]]
//# result = '"none"'
let value = "none";
tools.demo.fail({ message: "missed" }).then(() => { value = "some"; });
await tools.demo.wait({ ms: 10 });
return value;
