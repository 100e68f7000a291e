//# title = "a wrong number of digits"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "RangeError"
//# message = "invalid number of digits"
//# line = 9
//# column = 14
return (1.5).toFixed(200);
