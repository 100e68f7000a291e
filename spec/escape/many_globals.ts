//# title = "ten thousand properties on the global object change nothing for the bridge"
//# tools = "demo"
//# [expect]
//# result = '[9999,1]'
//# calls = [["demo.echo", "applied"]]
for (let i = 0; i < 10_000; i++) (globalThis as any)["g" + i] = i;
return [(globalThis as any).g9999, await tools.demo.echo(1)];
