//# title = "calls whose tool is missing are left, and so are those whose revert is"
//# tools = "spec"
//# [expect]
//# result = "1"
//# calls = [["spec.make", "applied"], ["spec.stamp", "applied"], ["spec.key.suffix", "applied"]]
//# [rollback]
//# missing = ["spec.make", "spec.unmake", "spec.key.suffix"]
//# calls = [["spec.make", "applied"], ["spec.stamp", "applied"], ["spec.key.suffix", "applied"]]
//# left = [["2", "its tool is missing"], ["1", "the tool `spec.unmake`, which reverts it, is missing"], ["0", "its tool is missing"]]
await tools.spec.make({ name: "a" });
await tools.spec.stamp({ name: "b" });
await tools.spec.key.suffix();
return 1;
