//# title = "what a step gave before a pause is what it gave, whatever it was made of"
//# tools = "spec"
//# seed = 7
//# [[passes]]
//# pending = [["1", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '[900277,853062]'
//# calls = [["codemode.step", "applied"], ["spec.pay", "applied"], ["codemode.step", "applied"]]
const random = await codemode.step("random", () => Math.random());
await tools.spec.pay({ amount: 1 });
return [random, await codemode.step("again", () => Math.random())].map((number) => Math.floor(number * 1e6));
