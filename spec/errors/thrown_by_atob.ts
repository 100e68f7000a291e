//# title = "an error of atob has the position of the program"
//# [expect.error]
//# code = "THROWN"
//# name = "InvalidCharacterError"
//# message = '?'
//# line = 8
//# column = 8
return atob("a");
