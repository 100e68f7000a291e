//# title = "a call that a condition may allow is not an error"
//# tools = "demo"
//# policy = [{ tools = "mail.*", when = { properties = { to = { const = "bob" } } }, deny = true }]
//# [expect]
//# result = 'true'
//# calls = [["demo.echo", "applied"], ["mail.send", "applied"]]
const to = await tools.demo.echo('ada');
return (await tools.mail.send({ to, subject: 'x' })).sent;
