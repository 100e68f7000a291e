//# title = "a timer that a getter sets after the program has returned is dropped"
//# tools = "demo"
//# [expect]
//# result = '1'
//# logs = [["error", "unhandled rejection: Error: x"]]
Promise.reject(Object.defineProperty(new Error(), "message", { get() { setTimeout(() => {}, 0); return "x"; } }));
return 1;
