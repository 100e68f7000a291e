//# title = "a program that has returned waits in memory for the timers that it left"
//# [config.limits]
//# lifetime = "1h"
//# [expect]
//# result = '"returned"'
//# logs = [["log", "before"], ["log", "left"]]
console.log("before");
setTimeout(() => console.log("left"), 1900);
return "returned";
