//# title = "a call made while the thrown error is read is never started"
//# tools = "demo"
//# [expect]
//# calls = [["mail.send", "issued"]]
//# [expect.error]
//# code = "THROWN"
//# name = 'Error'
//# message = '1'
//# line = 12
//# column = 7
const error = Object.defineProperty(new Error(), "message", { get() { tools.mail.send({ to: "a", subject: "b" }); return "1"; } });
throw error;
