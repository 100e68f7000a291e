//# title = "a log limit of nothing keeps the warning alone"
//# limits = { logs = 0 }
//# [expect]
//# result = '1'
//# logs = [["warn", "LOG_LIMIT: the log is full (0 bytes); what follows is dropped"]]
console.log("a");
console.log("b");
return 1;
