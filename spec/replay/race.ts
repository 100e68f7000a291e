//# title = "a race that was decided before a pause stays decided"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '["echo",1]'
//# calls = [["spec.pay", "applied"], ["demo.echo", "applied"]]
const paid = tools.spec.pay({ amount: 1 });
const first = await Promise.race([paid.then(() => "paid"), tools.demo.echo("echo")]);
return [first, (await paid).paid];
