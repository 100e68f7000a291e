//# title = "an object whose message is no text is shown"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = '{"message":5}'
//# line = 8
//# column = 7
throw { message: 5 };
