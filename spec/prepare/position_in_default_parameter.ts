//# title = "an error in a default value has its position"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'here'
//# line = 8
//# column = 35
const fail = (): never => { throw new Error("here"); };
function f(a: number = fail()) { return a; }
f();
