//# title = "a rejected promise that is returned ends the program"
//# [expect.error]
//# code = "THROWN"
//# name = "RangeError"
//# message = 'rejected'
//# line = 8
//# column = 27
return Promise.reject(new RangeError("rejected"));
