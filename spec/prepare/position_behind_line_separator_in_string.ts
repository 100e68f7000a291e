//# title = "U+2028 in a string is no new line"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'here'
//# line = 8
//# column = 24
const s = "a b"; throw new Error("here");
