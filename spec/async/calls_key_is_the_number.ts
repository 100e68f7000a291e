//# title = "every call has a number, and timers count"
//# tools = "spec"
//# [expect]
//# calls = [["spec.key.suffix", "applied"], ["spec.key.suffix", "applied"]]
//# result = '["0","2"]'
const first = await tools.spec.key.suffix({});
await new Promise((resolve) => setTimeout(resolve, 0));
const second = await tools.spec.key.suffix({});
return [first, second];
