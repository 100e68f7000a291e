//# title = "a call that a person denies fails with APPROVAL_DENIED and the reason"
//# tools = "demo"
//# approver = "no"
//# policy = [{ tools = "mail.*", require = "approval" }]
//# [expect]
//# calls = [["mail.send", "denied"]]
//# [expect.error]
//# code = "APPROVAL_DENIED"
//# name = "ApprovalDeniedError"
//# message = 'a person denied the call of `mail.send`: not today'
//# line = 14
//# column = 18
//# details = { tool = "mail.send", seq = "0" }
await tools.mail.send({ to: "a", subject: "b" });
