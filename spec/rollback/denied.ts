//# title = "a revert that a person denies is not made, and the others are"
//# tools = "spec"
//# [expect]
//# result = "1"
//# calls = [["spec.make", "applied"], ["spec.make", "applied"]]
//# [rollback]
//# calls = [["spec.make", "reverted"], ["spec.make", "applied"], ["spec.unmake", "denied"], ["spec.unmake", "applied"]]
//# failed = ["1"]
//# [[rollback.passes]]
//# pending = [["2", "spec.unmake", "approval"]]
//# deny = "all"
//# reason = "keep it"
for (const name of ["a", "guarded"]) await tools.spec.make({ name });
return 1;
