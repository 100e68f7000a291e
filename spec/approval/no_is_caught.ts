//# title = "a program goes on after a denial that it catches"
//# tools = "demo"
//# approver = "no"
//# policy = [{ tools = "mail.*", require = "approval" }]
//# [expect]
//# result = '["APPROVAL_DENIED","instead"]'
//# calls = [["mail.send", "denied"], ["demo.echo", "applied"]]
const code = await tools.mail.send({ to: "a", subject: "b" }).catch((error) => error.code);
return [code, await tools.demo.echo("instead")];
