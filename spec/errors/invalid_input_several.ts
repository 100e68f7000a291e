//# title = "several mismatches are named together"
//# tools = "demo"
//# [expect]
//# calls = [["mail.send", "failed"]]
//# [expect.error]
//# code = "INVALID_INPUT"
//# name = "InvalidInputError"
//# message = '?'
//# line = 11
//# column = 25
return await tools.mail.send({ to: 1, subject: 2, body: 3, cc: 4 });
