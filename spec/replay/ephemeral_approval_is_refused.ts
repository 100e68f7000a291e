//# title = "a call that must not be stored cannot wait for approval"
//# tools = "spec"
//# policy = [{ tools = "spec.password", require = "approval" }]
//# approver = "yes"
//# [expect]
//# result = '"APPROVAL_REQUIRED"'
//# calls = [["spec.password", "failed"]]
return await tools.spec.password().catch((error) => error.code);
