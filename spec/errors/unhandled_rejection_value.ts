//# title = "an unhandled rejection of any value is a line in the log"
//# [expect]
//# logs = [["error", "unhandled rejection: {\"a\":1}"], ["error", "unhandled rejection: text"], ["error", "unhandled rejection: undefined"]]
//# result = '1'
Promise.reject({ a: 1 });
Promise.reject("text");
Promise.reject(undefined);
return 1;
