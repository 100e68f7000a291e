//# title = "calls that were denied by what is remembered count towards a rate after a pause as before it"
//# tools = "spec"
//# policy = [{ tools = "spec.pay", rate = 2 }]
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# deny = "all"
//# remember = "execution"
//# [[passes]]
//# pending = [["2", "spec.login", "interrupt"]]
//# payloads = ['{"url":"https://login.example.com","for":"a"}']
//# resolve = { 2 = 'null' }
//# [expect]
//# result = '["APPROVAL_DENIED","APPROVAL_DENIED","CALL_LIMIT"]'
//# calls = [["spec.pay", "denied"], ["spec.pay", "denied"], ["spec.login", "applied"], ["spec.pay", "failed"]]
const codes = [];
const pay = () => tools.spec.pay({ amount: 1 }).catch((error) => codes.push(error.code));
await pay();
await pay();
await tools.spec.login({ for: "a" });
await pay();
return codes;
