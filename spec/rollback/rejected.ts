//# title = "a rollback that is rejected before it reverted anything leaves the execution as it was"
//# tools = "spec"
//# [expect]
//# result = "1"
//# calls = [["spec.make", "applied"]]
//# [rollback]
//# calls = [["spec.make", "applied"], ["spec.unmake", "issued"]]
//# error = "REJECTED"
//# [[rollback.passes]]
//# pending = [["1", "spec.unmake", "approval"]]
//# end = "reject"
//# reason = "leave it"
await tools.spec.make({ name: "guarded" });
return 1;
