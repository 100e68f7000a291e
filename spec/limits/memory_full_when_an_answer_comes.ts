//# title = "a program that is out of memory when its answer comes ends with MEMORY, not in a deadlock"
//# tools = "demo"
//# limits = { memory = "4MiB" }
//# [expect]
//# calls = [["demo.echo", "applied"]]
//# [expect.error]
//# code = "MEMORY"
//# name = 'MemoryLimitError'
//# message = 'the program needed more than 4 MiB of memory'
const call = tools.demo.echo({ a: [1, 2, 3] });
let list = null as unknown;
let big = [] as unknown[];
try { for (;;) big.push(new Uint8Array(1000)); } catch {}
try { for (;;) list = { list }; } catch {}
await call;
try { for (;;) list = { list }; } catch {}
throw await tools.demo.echo({});
