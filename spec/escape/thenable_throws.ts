//# title = "a result whose then throws is THROWN"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = 'Error'
//# message = 'from then'
//# line = 9
//# column = 25
return { then() { throw new Error("from then"); } };
