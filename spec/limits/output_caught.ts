//# title = "an output that is too large can be caught, and the program goes on"
//# tools = "demo"
//# limits = { output = 12 }
//# [expect]
//# result = '["OUTPUT_TOO_LARGE","OutputTooLargeError","the output of tool `demo.text` is 22 bytes, and the limit is 12 bytes","xx"]'
//# calls = [["demo.text", "failed"], ["demo.text", "applied"]]
const failure = await tools.demo.text({ letters: 20 }).catch((error) => [error.code, error.name, error.message]);
return [...failure, await tools.demo.text({ letters: 2 })];
