//# title = "a program that returns where it waited before has diverged, also if it leaves a call pending"
//# crashChanges = "it is brought back however it was left, and diverges"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# [expect.error]
//# code = "DIVERGED"
//# name = "DivergedError"
//# message = 'the program does not match its journal: it returned instead of waiting'
const paid = tools.spec.pay({ amount: 1 });
paid.catch(() => {});
if ((await tools.spec.token()) !== 1) return "early";
return await paid;
