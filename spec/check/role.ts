//# title = "a tool that is reserved for a role does not exist for other callers"
//# tools = "demo"
//# policy = [{ tools = "mail.*", roles = ["admin"] }]
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'unknown tool: `mail.send`'
//# line = 12
//# column = 25
await tools.demo.echo(1);
return await tools.mail.send({ to: 'ada', subject: 'x' });
