//# title = "outputs that only warn are still bounded in size"
//# tools = "demo"
//# limits = { output = 4 }
//# [config.validation]
//# outputs = "warn"
//# [expect]
//# result = '"OUTPUT_TOO_LARGE"'
//# calls = [["demo.text", "failed"]]
return await tools.demo.text({ letters: 3 }).catch((error) => error.code);
