//# title = "a timer that is left over is fine"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"]]
//# result = '{"a":1}'
setTimeout(() => console.log("never"), 10000);
return await tools.demo.echo({ a: 1 });
