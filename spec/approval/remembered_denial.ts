//# title = "a denial is remembered as well"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# deny = "all"
//# remember = "session"
//# [expect]
//# result = '["APPROVAL_DENIED","APPROVAL_DENIED","APPROVAL_DENIED"]'
//# calls = [["spec.pay", "denied"], ["spec.pay", "denied"], ["spec.pay", "denied"]]
const codes = [];
for (let i = 0; i < 3; i++) await tools.spec.pay({ amount: 1 }).catch((error) => codes.push(error.code));
return codes;
