//# title = "a call whose whole argument is written is decided as at run time"
//# tools = "demo"
//# policy = [{ tools = "mail.*", when = { properties = { to = { const = "bob" } } }, deny = true }]
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'the policy forbids this call of `mail.send`: rule 1 (`mail.*`) denies it'
//# line = 11
//# column = 25
return await tools.mail.send({ to: 'bob', subject: 'x' });
