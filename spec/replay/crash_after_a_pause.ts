//# title = "a process may die after a decision, and the decision holds"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# approve = "all"
//# [[passes]]
//# crash = true
//# resumesFrom = "snapshot"
//# [[passes]]
//# pending = [["1", "spec.crash", "in-doubt"]]
//# didNotHappen = "all"
//# [expect]
//# result = '[1,{"done":2}]'
//# calls = [["spec.pay", "applied"], ["spec.crash", "applied"]]
const paid = await tools.spec.pay({ amount: 1 });
const done = await tools.spec.crash(2);
return [paid.paid, done];
