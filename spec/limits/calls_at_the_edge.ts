//# title = "exactly as many calls as the limit are fine"
//# tools = "demo"
//# limits = { calls = 2 }
//# [expect]
//# result = '2'
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"]]
await tools.demo.echo({}); await tools.demo.echo({}); return 2;
