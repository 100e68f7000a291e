//# title = "the time-out stops a built-in that walks a huge sparse array"
//# limits = { timeout = "100ms" }
//# [expect]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 100ms'
//# line = 12
//# column = 15
const sparse = [];
sparse[2 ** 32 - 2] = 1;
return sparse.reverse().length;
