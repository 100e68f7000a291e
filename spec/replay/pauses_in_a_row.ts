//# title = "a program pauses as often as it likes"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# approve = "all"
//# [[passes]]
//# pending = [["1", "spec.pay", "approval"]]
//# approve = "all"
//# [[passes]]
//# pending = [["2", "spec.pay", "approval"]]
//# approve = "all"
//# [[passes]]
//# pending = [["3", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '10'
//# calls = [["spec.pay", "applied"], ["spec.pay", "applied"], ["spec.pay", "applied"], ["spec.pay", "applied"]]
let sum = 0;
for (const amount of [1, 2, 3, 4]) sum += (await tools.spec.pay({ amount })).paid;
return sum;
