//# title = "the ids of crypto go on where they were"
//# tools = "spec"
//# seed = 7
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '["369178e6-6152-42da-8157-cc6e6bab9893","13b48a73-2e90-4d7b-9865-8e6702c8606e"]'
//# calls = [["spec.pay", "applied"]]
const before = crypto.randomUUID();
await tools.spec.pay({ amount: 1 });
return [before, crypto.randomUUID()];
