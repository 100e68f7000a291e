//# title = "what was logged before a pause counts towards the limit"
//# tools = "spec"
//# limits = { logs = 40 }
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '1'
//# logs = [["log", "abcd"], ["warn", "LOG_LIMIT: the log is full (40 bytes); what follows is dropped"]]
//# calls = [["spec.pay", "applied"]]
console.log("abcd");
await tools.spec.pay({ amount: 1 });
console.log("wxyz!");
return 1;
