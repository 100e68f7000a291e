//# title = "a timer that wins against a person has won for good"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '["late",1]'
//# calls = [["spec.pay", "applied"]]
const paid = tools.spec.pay({ amount: 1 });
const late = new Promise((done) => setTimeout(done, 10, "late"));
return [await Promise.race([paid, late]), (await paid).paid];
