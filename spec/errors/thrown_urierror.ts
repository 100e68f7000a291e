//# title = "a URIError keeps its name"
//# [expect.error]
//# code = "THROWN"
//# name = "URIError"
//# message = 'its message'
//# line = 8
//# column = 7
throw new URIError("its message");
