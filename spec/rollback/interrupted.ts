//# title = "a revert may need an answer"
//# tools = "spec"
//# [expect]
//# result = "1"
//# calls = [["spec.make", "applied"]]
//# [rollback]
//# calls = [["spec.make", "reverted"], ["spec.unmake", "applied"]]
//# [[rollback.passes]]
//# pending = [["1", "spec.unmake", "interrupt"]]
//# payloads = ['"really?"']
//# resolve = { "1" = '"yes"' }
await tools.spec.make({ name: "asking" });
return 1;
