//# title = "calls from before a pause count towards the limit"
//# tools = "spec"
//# limits = { calls = 2 }
//# [[passes]]
//# pending = [["1", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '"CALL_LIMIT"'
//# calls = [["demo.echo", "applied"], ["spec.pay", "applied"]]
await tools.demo.echo(1);
await tools.spec.pay({ amount: 1 });
return await tools.demo.echo(2).catch((error) => error.code);
