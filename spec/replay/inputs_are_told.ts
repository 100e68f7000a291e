//# title = "inputs of calls from before a pause are in their records where they are asked for"
//# tools = "spec"
//# inputs = true
//# [[passes]]
//# pending = [["1", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '3'
//# calls = [["demo.echo", "applied"], ["spec.pay", "applied"], ["demo.echo", "applied"]]
//# inputs = ['1', '{"amount":2}', '3']
await tools.demo.echo(1);
await tools.spec.pay({ amount: 2 });
return await tools.demo.echo(3);
