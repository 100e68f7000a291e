//# title = "an output that is nested ten thousand levels deep fails its call, and nothing else"
//# crashChanges = "nobody can say what came of the call: it is nested too deeply"
//# tools = "spec"
//# [expect]
//# result = '["SERIALIZATION",1]'
//# calls = [["spec.nested", "failed"], ["demo.echo", "applied"]]
const code = await tools.spec.nested({ depth: 10_000 }).catch((error) => error.code);
return [code, await tools.demo.echo(1)];
