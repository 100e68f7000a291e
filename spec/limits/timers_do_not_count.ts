//# title = "timers do not count as calls, however many are set and cleared"
//# tools = "demo"
//# limits = { calls = 1 }
//# [expect]
//# result = '[300,"one"]'
//# calls = [["demo.echo", "applied"]]
let fired = 0;
await Promise.all(Array.from({ length: 300 }, () => new Promise<void>((resolve) => setTimeout(() => { fired++; resolve(); }, 1))));
for (let i = 0; i < 300; i++) clearTimeout(setTimeout(() => { fired++; }, 1000));
return [fired, await tools.demo.echo("one")];
