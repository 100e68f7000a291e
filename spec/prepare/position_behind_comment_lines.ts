//# title = "the lines of a comment count"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'here'
//# line = 9
//# column = 13
/* a
 b */ throw new Error("here");
