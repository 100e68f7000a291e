//# title = "a message keeps its characters"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = "ä😀\u2028\u0000\n"
//# line = 8
//# column = 7
throw new Error("ä😀\u2028\u0000\n");
