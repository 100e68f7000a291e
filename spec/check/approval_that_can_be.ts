//# title = "a call that needs an approval which may come is not a mistake"
//# tools = "spec"
//# policy = [{ tools = "demo.echo", require = "approval" }]
//# approver = "yes"
//# [expect]
//# result = '["hunter2",1]'
//# calls = [["spec.password", "applied"], ["demo.echo", "applied"]]
return [await tools.spec.password({}), await tools.demo.echo(1)];
