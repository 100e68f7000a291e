//# title = "an argument that is written as a whole is checked as at run time"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'invalid input for tool `demo.wait`: at /ms: -1 is less than the minimum of 0'
//# line = 10
//# column = 25
return await tools.demo.wait({ ms: -1 });
