//# title = "a denied call fails with FORBIDDEN, and the message names the rule"
//# checks = "off"
//# tools = "demo"
//# policy = [{ tools = "cities.*", allow = true }, { tools = ["mail.*", "pay.*"], deny = true }]
//# [expect]
//# calls = [["mail.send", "failed"]]
//# [expect.error]
//# code = "FORBIDDEN"
//# name = "ForbiddenError"
//# message = 'the policy forbids this call of `mail.send`: rule 2 (`mail.*`, `pay.*`) denies it'
//# hint = 'do without it, or tell the user that it is not allowed'
//# line = 15
//# column = 18
//# details = { tool = "mail.send", seq = "0" }
await tools.mail.send({ to: "a@example.com", subject: "hello" });
