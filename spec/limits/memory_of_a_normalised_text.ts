//# title = "uncaught out-of-memory is MEMORY: a text that grows when it is normalised"
//# [expect]
//# [expect.error]
//# code = "MEMORY"
//# name = 'MemoryLimitError'
//# message = 'the program needed more than 64 MiB of memory'
//# line = 10
//# column = 29
//# details = { limit = 67108864 }
return "\u0344".repeat(1e7).normalize("NFKD").length;
