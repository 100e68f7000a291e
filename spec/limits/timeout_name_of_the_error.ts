//# title = "the time-out stops a getter of a thrown object that is no error"
//# limits = { timeout = "100ms" }
//# [expect]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 100ms'
//# line = 10
//# column = 22
throw { get name() { for (;;) {} } };
