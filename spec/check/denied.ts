//# title = "a call that the policy denies is found, whatever its argument is"
//# tools = "demo"
//# policy = [{ tools = "mail.*", deny = true }]
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'the policy forbids this call of `mail.send`: rule 1 (`mail.*`) denies it'
//# line = 12
//# column = 25
const to = await tools.demo.echo('ada');
return await tools.mail.send({ to, subject: 'x' });
