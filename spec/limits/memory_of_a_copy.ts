//# title = "uncaught out-of-memory is MEMORY: a copy of a list"
//# [expect]
//# [expect.error]
//# code = "MEMORY"
//# name = 'MemoryLimitError'
//# message = 'the program needed more than 64 MiB of memory'
//# line = 10
//# column = 35
//# details = { limit = 67108864 }
return Array.prototype.toReversed.call({ length: 0x20000000 });
