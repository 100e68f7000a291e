//# title = "a program that throws is THROWN, whatever calls it left"
//# checks = "off"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "issued"]]
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'first things first'
//# line = 13
//# column = 7
tools.demo.echo({});
throw new Error("first things first");
