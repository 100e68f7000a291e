//# title = "a tool given too little"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = "CheckError"
//# message = "invalid input for tool `mail.send`: \"subject\" is a required property"
//# line = 11
//# column = 25
//# hint = "call it as tools.mail.send(input: { to: string; subject: string; body?: string }): Promise<unknown>"
return await tools.mail.send({ to: "ann@example.com" });
//# [correction]
//# group = "tools"
//# why = "The schema of the tool requires a property that the input lacks. The hint shows the type of the input."
//# program = '''
//# return await tools.mail.send({ to: "ann@example.com", subject: "Hello" });
//# '''
//# [correction.expect]
//# result = '{"sent":true,"to":"ann@example.com"}'
//# calls = [["mail.send", "applied"]]
