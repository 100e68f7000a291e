//# title = "a call that no rule is about is allowed"
//# tools = "demo"
//# policy = [{ tools = "mail.*", deny = true }]
//# [expect]
//# result = '1'
//# calls = [["demo.echo", "applied"]]
return await tools.demo.echo(1);
