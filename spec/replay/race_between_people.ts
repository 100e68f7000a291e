//# title = "of two calls in a race, the one that is approved first wins"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"], ["1", "spec.pay", "approval"]]
//# approve = ["1"]
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# approve = ["0"]
//# [expect]
//# result = '[2,1,2]'
//# calls = [["spec.pay", "applied"], ["spec.pay", "applied"]]
const [one, two] = [tools.spec.pay({ amount: 1 }), tools.spec.pay({ amount: 2 })];
const first = await Promise.race([one, two]);
return [first.paid, (await one).paid, (await two).paid];
