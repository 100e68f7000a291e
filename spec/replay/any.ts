//# title = "`Promise.any` gets over denials, whenever they come"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"], ["1", "spec.pay", "approval"], ["2", "spec.pay", "approval"]]
//# deny = ["1"]
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"], ["2", "spec.pay", "approval"]]
//# approve = ["2"]
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# deny = ["0"]
//# [expect]
//# result = '[3,["rejected","rejected","fulfilled"]]'
//# calls = [["spec.pay", "denied"], ["spec.pay", "denied"], ["spec.pay", "applied"]]
const payments = [1, 2, 3].map((amount) => tools.spec.pay({ amount }));
const first = await Promise.any(payments);
const all = await Promise.allSettled(payments);
return [first.paid, all.map((one) => one.status)];
