//# title = "half of a surrogate pair in a message becomes U+FFFD"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'a�b'
//# line = 8
//# column = 7
throw new Error("a\ud83db");
