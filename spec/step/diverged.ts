//# title = "a step whose result is another when the program is brought back has diverged"
//# tools = "spec"
//# crashChanges = "it is brought back however it was left, and diverges"
//# [[passes]]
//# pending = [["2", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# [expect.error]
//# code = "DIVERGED"
//# name = "DivergedError"
//# message = 'the program does not match its journal: it made call 1 of `codemode.step` with ["token",2] instead of call 1 of `codemode.step` with ["token",1]'
await codemode.step("token", () => tools.spec.token());
await tools.spec.pay({ amount: 1 });
