//# title = "a call that needs approval fails with APPROVAL_REQUIRED if there is no approver, and says why it needs approval"
//# differsKept = "it waits for approval instead"
//# tools = "demo"
//# policy = [{ tools = "mail.*", require = "approval" }]
//# [expect]
//# calls = [["mail.send", "failed"]]
//# [expect.error]
//# code = "APPROVAL_REQUIRED"
//# name = "ApprovalRequiredError"
//# message = 'the call of `mail.send` needs approval, and there is no approver: rule 1 (`mail.*`) asks for approval'
//# line = 14
//# column = 18
//# details = { tool = "mail.send", seq = "0" }
await tools.mail.send({ to: "a", subject: "b" });
