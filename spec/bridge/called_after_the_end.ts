//# title = "a function that was queued to run after the end does not run"
//# tools = "demo"
//# [expect]
//# result = '1'
setTimeout(() => { tools.mail.send({ to: "a", subject: "b" }); }, 0);
return 1;
