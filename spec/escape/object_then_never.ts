//# title = "a result whose then never calls back is DEADLOCK"
//# [expect]
//# [expect.error]
//# code = "DEADLOCK"
//# name = 'DeadlockError'
//# message = 'the program waits for something that can never come'
return { then() {} };
