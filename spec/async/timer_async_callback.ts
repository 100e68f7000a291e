//# title = "an async callback of a timer may call tools"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"]]
//# result = '[{"a":1}]'
const values: unknown[] = [];
await new Promise<void>((resolve) => {
  setTimeout(async () => {
    values.push(await tools.demo.echo({ a: 1 }));
    resolve();
  }, 1);
});
return values;
