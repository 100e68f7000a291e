//# title = "globals that a rule allows, and variables of the program, are there"
//# tools = "demo"
//# [[config.rules]]
//# allow = "globals"
//# names = ["tools", "JSON"]
//# [expect]
//# result = '"[3]"'
const Math = { max: (a: number, b: number) => a + b };
return JSON.stringify([Math.max(1, 2)]);
