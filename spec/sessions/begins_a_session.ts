//# title = "the first program of a session leaves its globals, and finds none"
//# tools = "spec"
//# [session]
//# after = "return count"
//# expect = '1'
//# [expect]
//# result = '"undefined"'
//# calls = [["spec.make", "applied"], ["spec.make", "applied"]]
const before = typeof globalThis.count;
await tools.spec.make({ name: "a" });
globalThis.count = 1;
await tools.spec.make({ name: "b" });
return before;
