//# title = "time spent waiting for a person does not count towards the time-out"
//# tools = "demo"
//# approver = "yes"
//# approverTakes = "1500ms"
//# policy = [{ tools = "mail.*", require = "approval" }]
//# limits = { timeout = "1s" }
//# [expect]
//# result = 'true'
//# calls = [["mail.send", "applied"]]
return (await tools.mail.send({ to: "a", subject: "b" })).sent;
