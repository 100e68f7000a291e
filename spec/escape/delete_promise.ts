//# title = "without the global Promise, calls and await still work"
//# tools = "demo"
//# [expect]
//# result = '[1,"undefined"]'
//# calls = [["demo.echo", "applied"]]
delete (globalThis as any).Promise;
return [await tools.demo.echo(1), typeof Promise];
