//# title = "a tool that panics after it waited fails its call, and nothing else"
//# tools = "spec"
//# [expect]
//# result = '[["rejected","the tool failed"],["fulfilled",{"waited":30}]]'
//# calls = [["spec.panic", "failed"], ["demo.wait", "applied"]]
const all = await Promise.allSettled([tools.spec.panic({ late: true }), tools.demo.wait({ ms: 30 })]);
return all.map((one: any) => [one.status, one.value ?? one.reason.message]);
