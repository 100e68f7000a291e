//# title = "what is not there cannot be described, and the nearest names are offered"
//# tools = "demo"
//# [expect]
//# calls = [["codemode.describe", "failed"]]
//# [expect.error]
//# code = "NOT_FOUND"
//# name = "NotFoundError"
//# message = 'there is no tool or namespace `mail.sent`; did you mean `mail.send`?'
//# line = 11
//# column = 17
return codemode.describe("mail.sent");
