//# title = "calls that need no approval continue while others wait for it"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# calls = [["spec.pay", "pending"], ["demo.echo", "applied"], ["demo.wait", "applied"], ["demo.echo", "applied"]]
//# approve = "all"
//# [expect]
//# result = '[1,"here","later"]'
//# calls = [["spec.pay", "applied"], ["demo.echo", "applied"], ["demo.wait", "applied"], ["demo.echo", "applied"]]
const [paid, echoed, waited] = await Promise.all([
  tools.spec.pay({ amount: 1 }),
  tools.demo.echo("here"),
  tools.demo.wait({ ms: 5 }).then(() => tools.demo.echo("later")),
]);
return [paid.paid, echoed, waited];
