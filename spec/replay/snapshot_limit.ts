//# title = "a program whose memory is larger than what may be stored of it is brought back from its journal"
//# tools = "spec"
//# limits = { snapshot = "4KiB" }
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# approve = "all"
//# resumesFrom = "journal"
//# [expect]
//# result = '3000'
//# calls = [["spec.pay", "applied"]]
const kept = Array.from({ length: 3000 }, () => Math.random());
await tools.spec.pay({ amount: 1 });
return kept.length;
