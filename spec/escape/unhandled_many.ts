//# title = "unhandled rejections that are logged are bounded"
//# [expect]
//# result = '1'
//# logs = [["error", "unhandled rejection: Error: e0"], ["error", "unhandled rejection: Error: e1"], ["error", "unhandled rejection: Error: e2"], ["error", "unhandled rejection: Error: e3"], ["error", "unhandled rejection: Error: e4"], ["error", "unhandled rejection: Error: e5"], ["error", "unhandled rejection: Error: e6"], ["error", "unhandled rejection: Error: e7"], ["error", "unhandled rejection: Error: e8"], ["error", "unhandled rejection: Error: e9"], ["error", "unhandled rejection: Error: e10"], ["error", "unhandled rejection: Error: e11"], ["error", "unhandled rejection: Error: e12"], ["error", "unhandled rejection: Error: e13"], ["error", "unhandled rejection: Error: e14"], ["error", "unhandled rejection: Error: e15"]]
for (let i = 0; i < 1000; i++) Promise.reject(new Error("e" + i));
return 1;
