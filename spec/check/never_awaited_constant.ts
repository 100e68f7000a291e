//# title = "a promise that is kept and never used is found"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'the call of `mail.send` is never awaited'
//# line = 10
//# column = 25
const sent = tools.mail.send({ to: 'ada', subject: 'x' });
return 1;
