//# title = "a denial that is not caught ends the program with APPROVAL_DENIED at the call"
//# tools = "spec"
//# [[passes]]
//# pending = [["1", "spec.pay", "approval"]]
//# deny = ["1"]
//# [expect]
//# calls = [["demo.echo", "applied"], ["spec.pay", "denied"]]
//# [expect.error]
//# code = "APPROVAL_DENIED"
//# name = "ApprovalDeniedError"
//# message = 'a person denied the call of `spec.pay`'
//# line = 16
//# column = 18
//# details = { tool = "spec.pay", seq = "1" }
await tools.demo.echo(1);
await tools.spec.pay({ amount: 1 });
