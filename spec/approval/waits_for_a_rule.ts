//# title = "a call that a rule wants approval for waits as well"
//# tools = "spec"
//# policy = [{ tools = "mail.*", require = "approval" }]
//# [[passes]]
//# pending = [["0", "mail.send", "approval"]]
//# approve = ["0"]
//# [expect]
//# result = 'true'
//# calls = [["mail.send", "applied"]]
return (await tools.mail.send({ to: "a", subject: "b" })).sent;
