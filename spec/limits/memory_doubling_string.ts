//# title = "uncaught out-of-memory is MEMORY: a string that doubles"
//# limits = { memory = "4MiB" }
//# [expect]
//# [expect.error]
//# code = "MEMORY"
//# name = 'MemoryLimitError'
//# message = 'the program needed more than 4 MiB of memory'
//# line = 11
//# column = 31
let text = "ab";
for (;;) { text += text; text.charCodeAt(1); }
