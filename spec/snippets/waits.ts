//# title = "timers of a snippet work, and end with it"
//# [snippets]
//# waits = 'setTimeout(() => {}, 60000).unref(); await new Promise((resolve) => setTimeout(resolve, 5)); return "waited"'
//# [expect]
//# result = '["waited","first"]'
//# calls = [["codemode.run", "applied"], ["codemode.run", "applied"]]
const waited = await codemode.run("waits");
const late = codemode.run("waits");
const first = await Promise.race([late, new Promise((resolve) => setTimeout(() => resolve("first"), 1))]);
await late;
return [waited, first];
