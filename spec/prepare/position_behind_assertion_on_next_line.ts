//# title = "a line behind an assertion keeps its position"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'here'
//# line = 9
//# column = 28
const a = { b: 1 } as { b: number }
;[1].forEach(() => { throw new Error("here"); })
