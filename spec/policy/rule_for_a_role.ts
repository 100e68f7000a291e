//# title = "a rule with roles and an action is about callers with these roles only"
//# tools = "demo"
//# roles = ["lead"]
//# policy = [{ tools = "mail.*", roles = ["intern"], deny = true }, { tools = "demo.*", roles = ["lead"], deny = true }]
//# [expect]
//# result = '[true,"FORBIDDEN"]'
//# calls = [["mail.send", "applied"], ["demo.echo", "failed"]]
return [(await tools.mail.send({ to: "a", subject: "b" })).sent, await tools.demo.echo(1).catch((error) => error.code)];
