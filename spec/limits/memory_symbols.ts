//# title = "uncaught out-of-memory is MEMORY: symbols"
//# limits = { memory = "4MiB" }
//# [expect]
//# [expect.error]
//# code = "MEMORY"
//# name = 'MemoryLimitError'
//# message = 'the program needed more than 4 MiB of memory'
//# line = 11
//# column = 19
const all = [];
for (;;) all.push(Symbol("a symbol"));
