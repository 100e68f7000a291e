//# title = "some of what waits is approved and some denied at the same time"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"], ["1", "spec.pay", "approval"]]
//# approve = ["0"]
//# deny = ["1"]
//# [expect]
//# result = '["fulfilled","rejected"]'
//# calls = [["spec.pay", "applied"], ["spec.pay", "denied"]]
const all = await Promise.allSettled([1, 2].map((amount) => tools.spec.pay({ amount })));
return all.map((one) => one.status);
