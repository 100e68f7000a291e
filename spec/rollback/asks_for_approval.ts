//# title = "a revert that needs approval pauses the rollback"
//# tools = "spec"
//# [expect]
//# result = "1"
//# calls = [["spec.make", "applied"], ["spec.make", "applied"], ["spec.make", "applied"]]
//# [rollback]
//# calls = [["spec.make", "reverted"], ["spec.make", "reverted"], ["spec.make", "reverted"], ["spec.unmake", "applied"], ["spec.unmake", "applied"], ["spec.unmake", "applied"]]
//# [[rollback.passes]]
//# pending = [["4", "spec.unmake", "approval"]]
//# inputs = ['{"id":"guarded","of":"guarded"}']
//# approve = "all"
for (const name of ["a", "guarded", "b"]) await tools.spec.make({ name });
return 1;
