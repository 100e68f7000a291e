//# title = "what a snippet logged counts after a pause, and a full log stays full"
//# tools = "spec"
//# limits = { logs = 100 }
//# [snippets]
//# tells = 'for (let line = 1; line <= input; line++) console.log(`line ${line}`)'
//# [[passes]]
//# pending = [["1", "spec.pay", "approval"]]
//# calls = [["codemode.run", "applied"], ["spec.pay", "pending"]]
//# approve = "all"
//# resumesFrom = "snapshot"
//# [[passes]]
//# pending = [["2", "spec.pay", "approval"]]
//# calls = [["codemode.run", "applied"], ["spec.pay", "applied"], ["spec.pay", "pending"]]
//# approve = "all"
//# resumesFrom = "snapshot"
//# [expect]
//# result = "1"
//# logs = [["log", "line 1"], ["log", "line 2"], ["log", "line 3"], ["log", "line 4"], ["warn", "LOG_LIMIT: the log is full (100 bytes); what follows is dropped"]]
//# calls = [["codemode.run", "applied"], ["spec.pay", "applied"], ["spec.pay", "applied"], ["codemode.run", "applied"]]
await codemode.run("tells", 4);
await tools.spec.pay({ amount: 1 });
console.log("line 5");
await tools.spec.pay({ amount: 2 });
await codemode.run("tells", 4);
console.log("line 6");
return 1;
