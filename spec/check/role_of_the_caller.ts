//# title = "a caller with the role may call the tool"
//# tools = "demo"
//# policy = [{ tools = "mail.*", roles = ["admin"] }]
//# roles = ["admin"]
//# [expect]
//# result = 'true'
//# calls = [["mail.send", "applied"]]
return (await tools.mail.send({ to: 'ada', subject: 'x' })).sent;
