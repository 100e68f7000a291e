//# title = "an unknown property with a written value is found"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'invalid input for tool `mail.send`: there is no property `boddy` (did you mean `body`?)'
//# line = 11
//# column = 25
const to = await tools.demo.echo('ada');
return await tools.mail.send({ to, subject: 'x', boddy: 'y' });
