//# title = "log lines count bytes of UTF-8"
//# limits = { logs = 40 }
//# [expect]
//# result = '1'
//# logs = [["log", "ää"], ["log", "öö"], ["warn", "LOG_LIMIT: the log is full (40 bytes); what follows is dropped"]]
console.log("ää");
console.log("öö");
console.log("");
return 1;
