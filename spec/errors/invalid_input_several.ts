//# title = "several mismatches are named together"
//# checks = "off"
//# tools = "demo"
//# [expect]
//# calls = [["mail.send", "failed"]]
//# [expect.error]
//# code = "INVALID_INPUT"
//# name = "InvalidInputError"
//# message = 'invalid input for tool `mail.send`: at /to: 1 is not of type "string"; at /subject: 2 is not of type "string"; at /body: 3 is not of type "string"; and 1 more'
//# line = 12
//# column = 25
return await tools.mail.send({ to: 1, subject: 2, body: 3, cc: 4 });
