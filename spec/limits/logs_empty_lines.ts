//# title = "empty lines fill the log too"
//# limits = { logs = 48 }
//# [expect]
//# result = '1'
//# logs = [["log", ""], ["log", ""], ["log", ""], ["warn", "LOG_LIMIT: the log is full (48 bytes); what follows is dropped"]]
for (let i = 0; i < 1000; i++) console.log();
return 1;
