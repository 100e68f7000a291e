//# title = "uncaught out-of-memory is MEMORY: the states of a regular expression"
//# limits = { memory = "8MiB" }
//# [expect]
//# [expect.error]
//# code = "MEMORY"
//# name = 'MemoryLimitError'
//# message = 'the program needed more than 8 MiB of memory'
//# line = 10
//# column = 24
return /(?:a|b|(c))*d/.test("a".repeat(1_000_000));
