//# title = "a tool whose results are not stored is called once more for every time that the program is brought back"
//# tools = "spec"
//# crashChanges = "it counts how often it was brought back"
//# [[passes]]
//# pending = [["1", "spec.pay", "approval"]]
//# approve = "all"
//# resumesFrom = "journal"
//# [[passes]]
//# pending = [["2", "spec.pay", "approval"]]
//# approve = "all"
//# resumesFrom = "journal"
//# [expect]
//# result = '3'
//# calls = [["spec.token", "applied"], ["spec.pay", "applied"], ["spec.pay", "applied"]]
const first = await tools.spec.token();
await tools.spec.pay({ amount: 1 });
await tools.spec.pay({ amount: 2 });
return first;
