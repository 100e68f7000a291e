//# title = "uncaught out-of-memory is MEMORY: strings"
//# limits = { memory = "4MiB" }
//# [expect]
//# [expect.error]
//# code = "MEMORY"
//# name = 'MemoryLimitError'
//# message = 'the program needed more than 4 MiB of memory'
//# line = 11
//# column = 18
//# details = { limit = 4194304 }
const text = "x".repeat(8_000_000);
return text.length;
