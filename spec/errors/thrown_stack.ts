//# title = "the stack has the author's lines, innermost first"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'deep'
//# line = 11
//# column = 9
//# [expect.error.details]
//# stack = "at inner (main.ts:11:13)\nat outer (main.ts:14:3)\nat <anonymous> (main.ts:16:1)"
function inner() {
  throw new Error("deep");
}
function outer() {
  inner();
}
outer();
