//# title = "uncaught out-of-memory is MEMORY: reactions to a promise"
//# limits = { memory = "4MiB" }
//# [expect]
//# [expect.error]
//# code = "MEMORY"
//# name = 'MemoryLimitError'
//# message = 'the program needed more than 4 MiB of memory'
//# line = 12
//# column = 16
const never = new Promise(() => {});
const all = [];
for (;;) never.then(() => 1);
