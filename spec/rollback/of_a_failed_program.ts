//# title = "a program that failed is rolled back too, without its failed calls"
//# tools = "spec"
//# [expect]
//# calls = [["spec.make", "applied"], ["spec.secret", "failed"]]
//# [expect.error]
//# code = "TOOL"
//# name = "ToolError"
//# message = "the tool failed"
//# line = 14
//# column = 25
//# [rollback]
//# calls = [["spec.make", "reverted"], ["spec.secret", "failed"], ["spec.unmake", "applied"]]
const made = await tools.spec.make({ name: "a" });
return await tools.spec.secret(made);
