//# title = "an unhandled rejection is a line in the log"
//# [expect]
//# logs = [["error", "unhandled rejection: TypeError: nobody cares"]]
//# result = '"done"'
Promise.reject(new TypeError("nobody cares"));
await null;
return "done";
