//# title = "a call that was never awaited is detached"
//# checks = "off"
//# tools = "demo"
//# [expect]
//# calls = [["mail.send", "issued"]]
//# [expect.error]
//# code = "DETACHED_CALL"
//# name = 'DetachedCallError'
//# message = 'the program returned while its call of `mail.send` was never awaited'
//# line = 14
//# column = 12
//# hint = "await every tool call before returning, for instance with `await Promise.all([…])`"
//# details = { tool = "mail.send", seq = "0" }
tools.mail.send({ to: "a", subject: "b" });
return "sent";
