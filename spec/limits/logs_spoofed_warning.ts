//# title = "a program can write the same words, and they are a line like any other"
//# limits = { logs = 200 }
//# [expect]
//# result = '1'
//# logs = [["warn", "LOG_LIMIT: the log is full (200 bytes); what follows is dropped"], ["log", "really?"]]
console.warn("LOG_LIMIT: the log is full (200 bytes); what follows is dropped");
console.log("really?");
return 1;
