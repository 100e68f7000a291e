//# title = "an input that does not fit is INVALID_INPUT, whatever the rules say about the tool"
//# tools = "demo"
//# policy = [{ tools = "mail.*", rate = 1 }, { tools = "mail.*", when = { }, deny = true }]
//# [expect]
//# result = '["INVALID_INPUT","FORBIDDEN"]'
//# calls = [["mail.send", "failed"], ["mail.send", "failed"]]
const misfit = await tools.mail.send({ to: "a" }).catch((error) => error.code);
return [misfit, await tools.mail.send({ to: "a", subject: "b" }).catch((error) => error.code)];
