//# title = "facts of before and after a pause are in one outcome"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '7'
//# facts = '{"asked":true,"paid":7}'
//# calls = [["spec.pay", "applied"]]
codemode.fact("asked", true);
const { paid } = await tools.spec.pay({ amount: 7 });
codemode.fact("paid", paid);
return paid;
