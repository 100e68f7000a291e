//# title = "a call that is refused uses up no number"
//# tools = "spec"
//# limits = { input = 20 }
//# [expect]
//# result = '["0","1"]'
//# calls = [["spec.key.suffix", "applied"], ["spec.key.suffix", "applied"]]
const first = await tools.spec.key.suffix();
await tools.spec.key.suffix(1, 2).catch(() => {});
await tools.spec.key.suffix("far too long for the limit").catch(() => {});
await tools.spec.key.suffix(() => {}).catch(() => {});
return [first, await tools.spec.key.suffix()];
