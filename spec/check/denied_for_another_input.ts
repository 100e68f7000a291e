//# title = "a call whose argument no rule denies is not found"
//# tools = "demo"
//# policy = [{ tools = "mail.*", when = { properties = { to = { const = "bob" } } }, deny = true }]
//# [expect]
//# result = '"ada"'
//# calls = [["mail.send", "applied"]]
return (await tools.mail.send({ to: 'ada', subject: 'x' })).to;
