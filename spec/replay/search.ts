//# title = "search and describe answer the same after a pause"
//# tools = "spec"
//# [[passes]]
//# pending = [["1", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '["mail.send",1,"tool"]'
//# calls = [["codemode.search", "applied"], ["spec.pay", "applied"], ["codemode.describe", "applied"]]
const { results: [first] } = await codemode.search("send a mail");
const { paid } = await tools.spec.pay({ amount: 1 });
return [first.path, paid, (await codemode.describe(first.path)).kind];
