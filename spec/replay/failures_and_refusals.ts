//# title = "failed calls, calls of nothing and calls that do not fit are settled like others"
//# tools = "spec"
//# [[passes]]
//# pending = [["5", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '["TOOL","TOOL","UNKNOWN_TOOL","INVALID_INPUT","INVALID_OUTPUT"]'
//# calls = [["demo.fail", "failed"], ["demo.fail", "failed"], ["nowhere.to.be.found", "failed"], ["demo.wait", "failed"], ["demo.broken", "failed"], ["spec.pay", "applied"]]
const codes = [];
const catching = (promise) => promise.catch((error) => codes.push(error.code));
for (let i = 0; i < 2; i++) await catching(tools.demo.fail({ message: "no" }));
await catching(tools.nowhere.to.be.found({}));
await catching(tools.demo.wait({ ms: "x" }));
await catching(tools.demo.broken());
await tools.spec.pay({ amount: 1 });
return codes;
