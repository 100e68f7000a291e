//# title = "a rollback that is rejected half-way tells what is reverted and what is not"
//# tools = "spec"
//# [expect]
//# result = "1"
//# calls = [["spec.make", "applied"], ["spec.make", "applied"], ["spec.make", "applied"]]
//# [rollback]
//# calls = [["spec.make", "applied"], ["spec.make", "applied"], ["spec.make", "reverted"], ["spec.unmake", "applied"], ["spec.unmake", "issued"]]
//# failed = ["1", "0"]
//# error = "REJECTED"
//# [[rollback.passes]]
//# pending = [["4", "spec.unmake", "approval"]]
//# end = "reject"
for (const name of ["a", "guarded", "b"]) await tools.spec.make({ name });
return 1;
