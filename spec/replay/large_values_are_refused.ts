//# title = "a value that is larger than what may be kept fails its call"
//# tools = "spec"
//# limits = { durableValue = 100 }
//# [[passes]]
//# pending = [["1", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '["OUTPUT_TOO_LARGE",1]'
//# calls = [["demo.text", "failed"], ["spec.pay", "applied"]]
const code = await tools.demo.text({ letters: 99 }).catch((error) => error.code);
return [code, (await tools.spec.pay({ amount: 1 })).paid];
