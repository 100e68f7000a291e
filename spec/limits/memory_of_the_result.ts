//# title = "out-of-memory while the result is written is MEMORY"
//# limits = { memory = "6MiB" }
//# [expect]
//# [expect.error]
//# code = "MEMORY"
//# name = 'MemoryLimitError'
//# message = 'the program needed more than 6 MiB of memory'
const one = "x".repeat(1000);
return new Array(20_000).fill(one);
