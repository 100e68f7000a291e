//# title = "a call that a timer makes after the return is a call of the program, and nothing awaits it"
//# tools = "demo"
//# [expect]
//# calls = [["mail.send", "issued"]]
//# [expect.error]
//# code = "DETACHED_CALL"
//# name = "DetachedCallError"
//# message = "the program returned while its call of `mail.send` was never awaited"
//# line = 11
//# column = 31
setTimeout(() => { tools.mail.send({ to: "a", subject: "b" }); }, 0);
return 1;
