//# title = "a revert in doubt that did not happen is made"
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
//# didNotHappen = "all"
for (const name of ["a", "crashing"]) await tools.spec.make({ name });
return 1;
