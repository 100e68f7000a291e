//# title = "time spent waiting for a tool is no processor time"
//# tools = "demo"
//# limits = { cpu = "50ms" }
//# [expect]
//# result = '"still here"'
//# calls = [["demo.wait", "applied"]]
await tools.demo.wait({ ms: 150 });
return "still here";
