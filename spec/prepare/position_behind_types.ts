//# title = "types before it on the line do not move a position"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'here'
//# line = 8
//# column = 66
const f = (a: Map<string, number>, b?: string): never => { throw new Error("here"); };
f(new Map());
