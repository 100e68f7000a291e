//# title = "a program that does not make the same calls again is DIVERGED, which shows the first difference, and nothing of it runs"
//# crashChanges = "it is brought back however it was left, and diverges"
//# tools = "spec"
//# [[passes]]
//# pending = [["1", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# [expect.error]
//# code = "DIVERGED"
//# name = "DivergedError"
//# message = 'the program does not match its journal: it made call 1 of `spec.pay` with {"amount":2} instead of call 1 of `spec.pay` with {"amount":1}'
const token = await tools.spec.token();
await tools.spec.pay({ amount: token });
return await tools.demo.echo("never");
