//# title = "several calls are continued with the notes of their tools"
//# tools = "spec"
//# [[passes]]
//# crash = true
//# [[passes]]
//# crash = true
//# [expect]
//# result = '[{"done":{"n":1}},{"done":{"n":2}},3]'
//# calls = [["spec.task", "applied"], ["spec.task", "applied"], ["demo.echo", "applied"]]
const both = await Promise.all([tools.spec.task({ n: 1 }), tools.spec.task({ n: 2 })]);
return [...both, await tools.demo.echo(3)];
