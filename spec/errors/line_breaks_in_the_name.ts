//# title = "the name of an error is one line; its message is the program's own"
//# differsFromNode = "a name of several lines stays as it is"
//# [expect.error]
//# code = "THROWN"
//# name = 'Oh\nwarn: no'
//# message = "one\ntwo"
//# line = 11
//# column = 7
const error = new Error("one\ntwo");
error.name = "Oh\nwarn: no";
throw error;
