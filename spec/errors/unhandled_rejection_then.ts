//# title = "a failure that is only met by then is a line in the log"
//# tools = "demo"
//# [expect]
//# logs = [["error", "unhandled rejection: ToolError: missed"]]
//# calls = [["demo.fail", "failed"], ["demo.wait", "applied"]]
//# result = '"none"'
let value = "none";
const failing = tools.demo.fail({ message: "missed" });
failing.then(() => { value = "some"; });
await Promise.allSettled([failing]);
await tools.demo.wait({ ms: 1 });
return value;
