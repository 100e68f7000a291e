//# title = "a program that makes fewer calls than before has diverged as well"
//# crashChanges = "it is brought back however it was left, and diverges"
//# tools = "spec"
//# [[passes]]
//# pending = [["1", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# [expect.error]
//# code = "DIVERGED"
//# name = "DivergedError"
//# message = 'the program does not match its journal: it did not make call 1 of `spec.pay` with {"amount":1}'
if ((await tools.spec.token()) === 1) await tools.spec.pay({ amount: 1 });
return "done";
