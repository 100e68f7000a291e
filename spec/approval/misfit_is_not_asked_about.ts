//# title = "no approval is requested for a call whose input does not fit"
//# tools = "demo"
//# approver = "no"
//# policy = [{ tools = "mail.*", require = "approval" }]
//# [expect]
//# result = '"INVALID_INPUT"'
//# calls = [["mail.send", "failed"]]
return await tools.mail.send({ to: "a" }).catch((error) => error.code);
