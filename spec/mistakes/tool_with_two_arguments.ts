//# title = "a tool given two arguments"
//# tools = "demo"
//# [expect.error]
//# code = "CHECK"
//# name = "CheckError"
//# message = "tools.mail.send takes one argument, an object; it was given 2"
//# line = 9
//# column = 25
return await tools.mail.send("ann@example.com", "hello");
//# [correction]
//# group = "tools"
//# why = "A tool takes one argument: an object with everything that it needs."
//# program = '''
//# return await tools.mail.send({ to: "ann@example.com", subject: "Hello" });
//# '''
//# [correction.expect]
//# result = '{"sent":true,"to":"ann@example.com"}'
//# calls = [["mail.send", "applied"]]
