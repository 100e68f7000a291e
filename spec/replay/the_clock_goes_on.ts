//# title = "the clock never goes back, however long the program waited"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '[true,true]'
//# calls = [["spec.pay", "applied"], ["demo.echo", "applied"]]
const before = Date.now();
await tools.spec.pay({ amount: 1 });
const between = Date.now();
await tools.demo.echo(1);
return [between >= before, Date.now() >= between];
