//# title = "a program that fails leaves its session as it was"
//# tools = "spec"
//# [session]
//# before = ["globalThis.total = 1", "total += 1"]
//# after = "return total"
//# expect = '2'
//# [expect]
//# calls = [["spec.make", "applied"]]
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = "no"
//# line = 17
//# column = 7
globalThis.total = 99;
await tools.spec.make({ name: "a" });
throw new Error("no");
