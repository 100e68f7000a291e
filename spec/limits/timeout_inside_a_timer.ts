//# title = "the time-out stops the function of a timer"
//# limits = { timeout = "500ms" }
//# [expect]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 500ms'
//# line = 10
//# column = 20
setTimeout(() => { for (;;) {} }, 1);
await new Promise(() => {});
