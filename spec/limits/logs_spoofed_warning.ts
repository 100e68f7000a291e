//# title = "a program can write the same words, but not at the cost of the limit"
//# limits = { logs = 100 }
//# [expect]
//# result = '1'
//# logs = [["warn", "LOG_LIMIT: the log is full (100 bytes); what follows is dropped"], ["log", "really?"]]
console.warn("LOG_LIMIT: the log is full (100 bytes); what follows is dropped");
console.log("really?");
return 1;
