//# title = "an error has its own position, not that of one that was thrown and forgotten before"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = 'TypeError'
//# message = 'cannot read "x" of null'
//# line = 11
//# column = 15
const quiet = () => { try { throw new Error("first"); } catch {} };
quiet();
(null as any).x;
