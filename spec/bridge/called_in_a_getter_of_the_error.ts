//# title = "a call made while the thrown error is read is never started"
//# checks = "off"
//# tools = "demo"
//# [expect]
//# calls = [["mail.send", "issued"]]
//# [expect.error]
//# code = "THROWN"
//# name = 'Error'
//# message = '1'
//# line = 14
//# column = 7
const error = new Error();
Object.defineProperty(error, "message", { get() { tools.mail.send({ to: "a", subject: "b" }); return "1"; } });
throw error;
