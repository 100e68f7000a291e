//# title = "microtasks that are ready when the program returns still run"
//# [expect]
//# logs = [["log", "after"]]
//# result = '1'
queueMicrotask(() => console.log("after"));
return 1;
