//# title = "uncaught out-of-memory is MEMORY: typed arrays"
//# limits = { memory = "4MiB" }
//# [expect]
//# [expect.error]
//# code = "MEMORY"
//# name = 'MemoryLimitError'
//# message = 'the program needed more than 4 MiB of memory'
//# line = 11
//# column = 12
//# details = { limit = 4194304 }
return new Uint8Array(4194304).length;
