//# title = "the position of a call is that of its function, not of a property in its arguments"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'x1'
//# line = 12
//# column = 9
//# [expect.error.details]
//# stack = "at f (main.ts:12:13)\nat <anonymous> (main.ts:14:1)"
const o = { p: 1 };
function f(_: number) {
  throw new Error("x" + o.p);
}
f(o.p);
