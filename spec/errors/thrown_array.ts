//# title = "a list that is thrown is shown"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = '[1,"a"]'
//# line = 8
//# column = 7
throw [1, "a"];
