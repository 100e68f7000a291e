//# title = "more than one argument ends the program with INVALID_INPUT"
//# checks = "off"
//# tools = "demo"
//# [expect.error]
//# code = "INVALID_INPUT"
//# name = "InvalidInputError"
//# message = 'tools.mail.send takes one argument, an object; it was given 2'
//# line = 10
//# column = 18
await tools.mail.send("ada@example.com", "Hello");
