//# title = "a revert that fails does not stop the others"
//# tools = "spec"
//# [expect]
//# result = "3"
//# calls = [["spec.make", "applied"], ["spec.make", "applied"], ["spec.make", "applied"]]
//# [rollback]
//# calls = [["spec.make", "reverted"], ["spec.make", "applied"], ["spec.make", "reverted"], ["spec.unmake", "applied"], ["spec.unmake", "failed"], ["spec.unmake", "applied"]]
//# failed = ["1"]
for (const name of ["a", "stuck", "b"]) await tools.spec.make({ name });
return 3;
