//# title = "a call that is never awaited is found"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'the call of `mail.send` is never awaited'
//# line = 11
//# column = 12
//# hint = 'await it, or collect several in `await Promise.all([…])`'
tools.mail.send({ to: 'ada', subject: 'x' });
return 1;
