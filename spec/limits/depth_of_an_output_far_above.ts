//# title = "an output that is nested ten thousand levels deep fails its call, and nothing else"
//# tools = "spec"
//# [expect]
//# result = '["SERIALIZATION",1]'
//# calls = [["spec.nested", "failed"], ["demo.echo", "applied"]]
const code = await tools.spec.nested({ depth: 10_000 }).catch((error) => error.code);
return [code, await tools.demo.echo(1)];
