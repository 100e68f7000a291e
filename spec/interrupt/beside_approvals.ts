//# title = "calls that ask for something and calls that need approval wait side by side, while others go on"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.login", "interrupt"], ["1", "spec.pay", "approval"]]
//# payloads = ['{"url":"https://login.example.com","for":"a"}']
//# calls = [["spec.login", "pending"], ["spec.pay", "pending"], ["demo.echo", "applied"]]
//# approve = ["1"]
//# [[passes]]
//# pending = [["0", "spec.login", "interrupt"]]
//# payloads = ['{"url":"https://login.example.com","for":"a"}']
//# resolve = { 0 = '"x"' }
//# [expect]
//# result = '["x",2,3]'
//# calls = [["spec.login", "applied"], ["spec.pay", "applied"], ["demo.echo", "applied"]]
const [login, paid, echoed] = await Promise.all([
  tools.spec.login({ for: "a" }), tools.spec.pay({ amount: 2 }), tools.demo.echo(3),
]);
return [login.with, paid.paid, echoed];
