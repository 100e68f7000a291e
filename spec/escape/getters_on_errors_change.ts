//# title = "what a getter of the error says is read once"
//# [expect]
//# logs = [["log", "name"], ["log", "message"]]
//# [expect.error]
//# code = "THROWN"
//# name = 'Name1'
//# message = 'message1'
//# line = 14
//# column = 7
let names = 0, messages = 0;
const error = new Error();
Object.defineProperty(error, "name", { get() { console.log("name"); return "Name" + ++names; } });
Object.defineProperty(error, "message", { get() { console.log("message"); return "message" + ++messages; } });
throw error;
