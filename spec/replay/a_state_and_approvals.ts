//# title = "calls in doubt, calls that wait and calls that are done, in several batches"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"], ["2", "spec.pay", "approval"]]
//# approve = "all"
//# [[passes]]
//# pending = [["3", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '[1,2,3,4]'
//# calls = [["spec.pay", "applied"], ["demo.echo", "applied"], ["spec.pay", "applied"], ["spec.pay", "applied"]]
const [a, b, c] = await Promise.all([tools.spec.pay({ amount: 1 }), tools.demo.echo(2), tools.spec.pay({ amount: 3 })]);
const d = await tools.spec.pay({ amount: a.paid + c.paid });
return [a.paid, b, c.paid, d.paid];
