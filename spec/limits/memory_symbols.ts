//# title = "uncaught out-of-memory is MEMORY: symbols"
//# limits = { memory = "4MiB" }
//# [expect]
//# [expect.error]
//# code = "MEMORY"
//# name = 'MemoryLimitError'
//# message = 'the program needed more than 4 MiB of memory'
//# line = 10
//# column = 14
return Array.from({ length: 1e9 }, Symbol).length;
