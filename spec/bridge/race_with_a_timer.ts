//# title = "a timer that lost a race is no detached call"
//# tools = "demo"
//# [expect]
//# result = '"fast"'
//# calls = [["demo.echo", "applied"]]
return await Promise.race([tools.demo.echo("fast"), new Promise((resolve) => setTimeout(resolve, 60_000))]);
