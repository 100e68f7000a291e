//# title = "microtasks run in the order of the language after a pause as before it"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '["before","then","await","finally","next"]'
//# calls = [["spec.pay", "applied"]]
const order = [];
const paid = tools.spec.pay({ amount: 1 });
paid.then(() => order.push("then")).finally(() => order.push("finally"));
queueMicrotask(() => order.push("before"));
await paid;
order.push("await");
await null;
order.push("next");
return order;
