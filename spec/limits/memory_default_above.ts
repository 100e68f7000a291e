//# title = "63 MiB and a half do not fit into the default of 64 MiB beside the engine"
//# [expect.error]
//# code = "MEMORY"
//# name = "MemoryLimitError"
//# message = "the program needed more than 64 MiB of memory"
//# line = 9
//# column = 12
//# details = { limit = 67108864 }
return new Uint8Array(63.5 * 1024 * 1024).fill(1).length;
