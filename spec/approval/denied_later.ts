//# title = "a program catches a denial that comes after days, with its reason, and goes on"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# deny = "all"
//# reason = "too much"
//# [expect]
//# result = '["APPROVAL_DENIED","ApprovalDeniedError","a person denied the call of `spec.pay`: too much","instead"]'
//# calls = [["spec.pay", "denied"], ["demo.echo", "applied"]]
const seen = await tools.spec.pay({ amount: 1 }).catch((error) => [error.code, error.name, error.message]);
return [...seen, await tools.demo.echo("instead")];
