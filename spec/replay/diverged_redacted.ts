//# title = "DIVERGED quotes nothing that the policy redacts"
//# crashChanges = "it is brought back however it was left, and diverges"
//# tools = "spec"
//# policy = [{ tools = "spec.pay", redact = ["/amount"] }]
//# [[passes]]
//# pending = [["1", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# [expect.error]
//# code = "DIVERGED"
//# name = "DivergedError"
//# message = 'the program does not match its journal: it made call 1 of `spec.pay` with {"amount":"[redacted]"}, and a part of the input that is not shown is different'
const token = await tools.spec.token();
await tools.spec.pay({ amount: token });
return await tools.demo.echo("never");
