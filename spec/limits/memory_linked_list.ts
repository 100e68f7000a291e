//# title = "uncaught out-of-memory is MEMORY where not even a small object fits any more"
//# limits = { memory = "4MiB" }
//# [expect]
//# [expect.error]
//# code = "MEMORY"
//# name = 'MemoryLimitError'
//# message = 'the program needed more than 4 MiB of memory'
//# line = 12
//# column = 10
//# details = { limit = 4194304 }
let list = null;
for (;;) list = { list };
