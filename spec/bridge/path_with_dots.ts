//# title = "a name with dots is the path that it spells"
//# tools = "demo"
//# [expect]
//# result = '1'
//# calls = [["demo.echo", "applied"]]
return await tools["demo.echo"](1);
