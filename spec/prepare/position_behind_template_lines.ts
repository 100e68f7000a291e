//# title = "the lines of a template count"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'here'
//# line = 10
//# column = 11
const t = `a
b ${1 as number}
c`; throw new Error("here");
