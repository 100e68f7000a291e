//# title = "uncaught out-of-memory is MEMORY: properties of the global object"
//# limits = { memory = "4MiB" }
//# [expect]
//# [expect.error]
//# code = "MEMORY"
//# name = 'MemoryLimitError'
//# message = 'the program needed more than 4 MiB of memory'
//# line = 10
//# column = 1
for (let i = 0; ; i++) globalThis["property" + i] = i;
