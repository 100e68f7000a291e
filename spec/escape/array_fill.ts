//# title = "filling an array of 2^32 - 1 elements ends in MEMORY"
//# limits = { memory = "8MiB", timeout = "10s" }
//# [expect]
//# [expect.error]
//# code = "MEMORY"
//# name = 'MemoryLimitError'
//# message = 'the program needed more than 8 MiB of memory'
//# line = 10
//# column = 27
return Array(2 ** 32 - 1).fill(1).length;
