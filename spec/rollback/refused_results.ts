//# title = "a call whose result was refused took effect, and is reverted if its revert does not need the result"
//# tools = "spec"
//# [limits]
//# output = "1KiB"
//# [expect]
//# result = '["OUTPUT_TOO_LARGE","OUTPUT_TOO_LARGE"]'
//# calls = [["spec.make", "failed"], ["spec.stamp", "failed"]]
//# [rollback]
//# calls = [["spec.make", "failed"], ["spec.stamp", "reverted"], ["spec.unmake", "applied"]]
//# left = [["0", "the input of its revert cannot be made: its result was not stored"]]
// The result of the revert is too large as well.
const name = "x".repeat(2000);
const codes = [];
for (const make of [tools.spec.make, tools.spec.stamp]) codes.push(await make({ name }).catch((error) => error.code));
return codes;
