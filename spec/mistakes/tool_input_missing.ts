//# title = "a tool given too little"
//# tools = "demo"
//# [expect]
//# calls = [["mail.send", "failed"]]
//# [expect.error]
//# code = "INVALID_INPUT"
//# name = "InvalidInputError"
//# message = "invalid input for tool `mail.send`: \"subject\" is a required property"
//# line = 12
//# column = 25
//# hint = "call it as tools.mail.send(input: { to: string; subject: string; body?: string }): Promise<unknown>"
return await tools.mail.send({ to: "ann@example.com" });
