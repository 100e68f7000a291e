//# title = "a program that waits for a person keeps its session, and leaves its globals when it returns"
//# tools = "spec"
//# [session]
//# before = ["globalThis.total = 40"]
//# after = "return total"
//# expect = '41'
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '"done"'
//# calls = [["spec.pay", "applied"]]
globalThis.total = (globalThis.total ?? 0) + 1;
await tools.spec.pay({ amount: 1 });
return "done";
