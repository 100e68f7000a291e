//# title = "an execution goes back to a named step"
//# tools = "spec"
//# [expect]
//# result = '"c"'
//# calls = [["spec.make", "applied"], ["codemode.step", "applied"], ["spec.make", "applied"], ["codemode.step", "applied"], ["spec.make", "applied"]]
//# [rollback]
//# to = "first"
//# calls = [["spec.make", "applied"], ["codemode.step", "applied"], ["spec.make", "reverted"], ["codemode.step", "applied"], ["spec.make", "reverted"], ["spec.unmake", "applied"], ["spec.unmake", "applied"]]
await codemode.step("first", () => tools.spec.make({ name: "a" }));
await codemode.step("second", () => tools.spec.make({ name: "b" }));
return (await tools.spec.make({ name: "c" })).id;
