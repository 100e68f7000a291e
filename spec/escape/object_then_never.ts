//# title = "a result whose then never calls back is DEADLOCK"
//# [expect]
//# [expect.error]
//# code = "DEADLOCK"
//# name = 'DeadlockError'
//# message = 'the program awaits a promise that can never resolve'
return { then() {} };
