//# title = "a program that throws is told about the throw, not about calls it left behind"
//# checks = "off"
//# tools = "demo"
//# [expect]
//# calls = [["demo.wait", "issued"]]
//# [expect.error]
//# code = "THROWN"
//# name = 'Error'
//# message = 'boom'
//# line = 13
//# column = 7
tools.demo.wait({ ms: 20000 });
throw new Error("boom");
