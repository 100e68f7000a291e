//# title = "a call that a person approves is made"
//# tools = "demo"
//# approver = "yes"
//# policy = [{ tools = "mail.*", require = "approval" }]
//# [expect]
//# result = '{"sent":true,"to":"a"}'
//# calls = [["mail.send", "applied"]]
return await tools.mail.send({ to: "a", subject: "b" });
