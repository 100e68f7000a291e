//# title = "for callers with one of the roles the tools are there, and the next rules decide"
//# tools = "demo"
//# roles = ["admin", "intern"]
//# policy = [{ tools = ["mail.*", "demo.*"], roles = ["postmaster", "admin"] }, { tools = "demo.*", deny = true }]
//# [expect]
//# result = '[{"sent":true,"to":"a"},"FORBIDDEN"]'
//# calls = [["mail.send", "applied"], ["demo.echo", "failed"]]
return [await tools.mail.send({ to: "a", subject: "b" }), await tools.demo.echo(1).catch((error) => error.code)];
