//# title = "comments in a transformed program do not move positions"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'here'
//# line = 13
//# column = 33
/** a
 * b */
enum E { A /* first */, B } // both

// more
const f = () => { /* x */ throw new Error("here"); };
f();
