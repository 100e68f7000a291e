//# title = "the line that does not fit is replaced by one warning, and what follows is dropped"
//# limits = { logs = 40 }
//# [expect]
//# result = '1'
//# logs = [["log", "abcd"], ["warn", "LOG_LIMIT: the log is full (40 bytes); what follows is dropped"]]
console.log("abcd");
console.log("wxyz!");
console.log("");
console.error("dropped");
return 1;
