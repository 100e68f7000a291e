//# title = "an input of exactly the limit is passed on"
//# tools = "demo"
//# limits = { input = 12 }
//# [expect]
//# result = '{"a":"xxxx"}'
//# calls = [["demo.echo", "applied"]]
return await tools.demo.echo({ a: "xxxx" });
