//# title = "a revert that was running when its process died is in doubt, and is not made again if it happened"
//# tools = "spec"
//# [expect]
//# result = "1"
//# calls = [["spec.make", "applied"], ["spec.make", "applied"]]
//# [rollback]
//# calls = [["spec.make", "reverted"], ["spec.make", "reverted"], ["spec.unmake", "applied"], ["spec.unmake", "applied"]]
//# [[rollback.passes]]
//# crash = true
//# [[rollback.passes]]
//# pending = [["2", "spec.unmake", "in-doubt"]]
//# inputs = ['{"id":"crashing","of":"crashing"}']
//# calls = [["spec.make", "applied"], ["spec.make", "applied"], ["spec.unmake", "in-doubt"]]
//# happened = { "2" = '"it is gone"' }
for (const name of ["a", "crashing"]) await tools.spec.make({ name });
return 1;
