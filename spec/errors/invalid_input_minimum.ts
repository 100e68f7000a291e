//# title = "a number below the minimum is refused"
//# checks = "off"
//# tools = "demo"
//# [expect]
//# calls = [["demo.wait", "failed"]]
//# [expect.error]
//# code = "INVALID_INPUT"
//# name = "InvalidInputError"
//# message = 'invalid input for tool `demo.wait`: at /ms: -1 is less than the minimum of 0'
//# line = 12
//# column = 25
return await tools.demo.wait({ ms: -1 });
