//# title = "answers that come while there is no memory end in MEMORY or arrive, and nothing else"
//# tools = "demo"
//# limits = { memory = "4MiB" }
//# [expect]
//# calls = [["demo.echo", "applied"]]
//# [expect.error]
//# code = "MEMORY"
//# name = 'MemoryLimitError'
//# message = 'the program needed more than 4 MiB of memory'
const call = tools.demo.echo(Array.from({ length: 500 }, (_, i) => ({ i })));
let list: unknown = null;
try { for (;;) list = { list }; } catch {}
await call;
return "arrived";
