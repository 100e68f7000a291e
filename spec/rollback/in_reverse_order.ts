//# title = "calls are reverted the last one first, and those without a revert are left"
//# tools = "spec"
//# [expect]
//# result = '["a","b"]'
//# calls = [["spec.make", "applied"], ["spec.key.suffix", "applied"], ["spec.make", "applied"]]
//# [rollback]
//# calls = [["spec.make", "reverted"], ["spec.key.suffix", "applied"], ["spec.make", "reverted"], ["spec.unmake", "applied"], ["spec.unmake", "applied"]]
//# left = [["1", "its tool has no revert"]]
const a = await tools.spec.make({ name: "a" });
await tools.spec.key.suffix();
const b = await tools.spec.make({ name: "b" });
return [a.id, b.id];
