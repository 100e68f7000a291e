//# title = "an error of atob has the position of the program"
//# [expect.error]
//# code = "THROWN"
//# name = "InvalidCharacterError"
//# message = 'The string to be decoded is not correctly encoded'
//# line = 8
//# column = 8
return atob("a");
