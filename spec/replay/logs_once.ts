//# title = "what was logged before a pause is logged once"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = 'null'
//# logs = [["log", "before 1"], ["warn", "after"]]
//# calls = [["spec.pay", "applied"]]
console.log("before", 1);
await tools.spec.pay({ amount: 1 });
console.warn("after");
return null;
