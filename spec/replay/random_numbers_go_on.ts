//# title = "random numbers go on where they were"
//# tools = "spec"
//# seed = 7
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '[900277,853062,432805,576548]'
//# calls = [["spec.pay", "applied"]]
const before = [Math.random(), Math.random()];
await tools.spec.pay({ amount: 1 });
const after = [Math.random(), Math.random()];
return [...before, ...after].map((number) => Math.floor(number * 1e6));
