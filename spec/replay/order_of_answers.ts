//# title = "answers come in the order in which they came, and what follows from each comes before the next batch"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"], ["3", "spec.pay", "approval"]]
//# approve = ["3"]
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# approve = ["0"]
//# [expect]
//# result = '["quick","quick.","slow","slow.","paid too","paid too.","paid","paid."]'
//# calls = [["spec.pay", "applied"], ["demo.wait", "applied"], ["demo.echo", "applied"], ["spec.pay", "applied"]]
const order = [];
const follow = (name, promise) => promise.then(() => order.push(name)).then(() => order.push(`${name}.`));
const all = [
  follow("paid", tools.spec.pay({ amount: 1 })), follow("slow", tools.demo.wait({ ms: 30 })), follow("quick", tools.demo.echo(1)),
  follow("paid too", tools.spec.pay({ amount: 2 })),
];
await Promise.all(all);
return order;
