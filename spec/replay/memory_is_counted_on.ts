//# title = "memory from before a pause counts towards the limit"
//# tools = "spec"
//# limits = { memory = "16MiB" }
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# calls = [["spec.pay", "applied"]]
//# [expect.error]
//# code = "MEMORY"
//# name = "MemoryLimitError"
//# message = "the program needed more than 16 MiB of memory"
//# line = 18
//# column = 44
const kept = [];
for (let i = 0; i < 8; i++) kept.push(new Uint8Array(1024 * 1024).fill(i + 1));
await tools.spec.pay({ amount: 1 });
for (let i = 0; i < 64; i++) kept.push(new Uint8Array(1024 * 1024).fill(1));
