//# title = "a tool given two arguments"
//# tools = "demo"
//# [expect.error]
//# code = "INVALID_INPUT"
//# name = "InvalidInputError"
//# message = "tools.mail.send takes one argument, an object; it was given 2"
//# line = 9
//# column = 25
return await tools.mail.send("ann@example.com", "hello");
