//# title = "calls that wait are decided one by one, in whatever order"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"], ["1", "spec.pay", "approval"], ["2", "spec.pay", "approval"]]
//# approve = ["2"]
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"], ["1", "spec.pay", "approval"]]
//# calls = [["spec.pay", "pending"], ["spec.pay", "pending"], ["spec.pay", "applied"]]
//# deny = ["0"]
//# [[passes]]
//# pending = [["1", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '[3,"APPROVAL_DENIED",2]'
//# calls = [["spec.pay", "denied"], ["spec.pay", "applied"], ["spec.pay", "applied"]]
const order = [];
await Promise.allSettled([1, 2, 3].map((amount) =>
  tools.spec.pay({ amount }).then((one) => order.push(one.paid), (error) => order.push(error.code))));
return order;
