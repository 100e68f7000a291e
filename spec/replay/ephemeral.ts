//# title = "what must not be stored is asked for again, and rules out storing the memory of the program"
//# tools = "spec"
//# [[passes]]
//# pending = [["1", "spec.pay", "approval"]]
//# approve = "all"
//# resumesFrom = "journal"
//# [[passes]]
//# pending = [["2", "spec.pay", "approval"]]
//# approve = "all"
//# resumesFrom = "journal"
//# [expect]
//# result = '["hunter2",2]'
//# calls = [["spec.password", "applied"], ["spec.pay", "applied"], ["spec.pay", "applied"]]
const password = await tools.spec.password();
await tools.spec.pay({ amount: 1 });
return [password, (await tools.spec.pay({ amount: 2 })).paid];
