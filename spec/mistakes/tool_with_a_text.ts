//# title = "a tool given a text instead of an object"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = "CheckError"
//# message = "invalid input for tool `mail.send`: \"ann@example.com\" is not of type \"object\""
//# line = 11
//# column = 25
//# hint = "call it as tools.mail.send(input: { to: string; subject: string; body?: string }): Promise<unknown>"
return await tools.mail.send("ann@example.com");
//# [correction]
//# group = "tools"
//# why = "A tool takes one object with named properties. The hint shows its type."
//# program = '''
//# return await tools.mail.send({ to: "ann@example.com", subject: "Hello" });
//# '''
//# [correction.expect]
//# result = '{"sent":true,"to":"ann@example.com"}'
//# calls = [["mail.send", "applied"]]
