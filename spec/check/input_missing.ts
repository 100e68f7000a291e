//# title = "a missing property of an argument is found"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'invalid input for tool `mail.send`: "subject" is a required property'
//# line = 11
//# column = 25
const city = await tools.demo.echo('Oslo');
return await tools.mail.send({ to: city });
