//# title = "a DOMException keeps its name and message"
//# [expect.error]
//# code = "THROWN"
//# name = "TimeoutError"
//# message = 'too late'
//# line = 8
//# column = 7
throw new DOMException("too late", "TimeoutError");
