//# title = "the first rule that matches decides, whatever the others say"
//# tools = "demo"
//# policy = [{ tools = "demo.echo", allow = true }, { tools = "demo.*", deny = true }, { tools = "demo.wait", allow = true }]
//# [expect]
//# result = '[1,"FORBIDDEN"]'
//# calls = [["demo.echo", "applied"], ["demo.wait", "failed"]]
return [await tools.demo.echo(1), await tools.demo.wait({ ms: 0 }).catch((error) => error.code)];
